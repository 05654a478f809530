-- The other doors: one-time links, sign-in by an identity provider, keys that are rotated and given away, limits on guessing.

-- A one-time link by which a person sets a password: an invitation, or a way back in.
CREATE TABLE sign_in_link (
  merchant_id text NOT NULL,
  token_hash  text NOT NULL UNIQUE,
  person_id   text NOT NULL,
  created_at  timestamptz(3) NOT NULL,
  expires_at  timestamptz(3) NOT NULL,
  used_at     timestamptz(3),
  PRIMARY KEY (merchant_id, token_hash),
  FOREIGN KEY (merchant_id, person_id) REFERENCES member (merchant_id, person_id)
);

-- Who a person is at an identity provider: linked once, by verified e-mail, and then known by issuer and subject alone.
CREATE TABLE person_identity (
  issuer    text NOT NULL,
  subject   text NOT NULL,
  person_id text NOT NULL REFERENCES person (id),
  linked_at timestamptz(3) NOT NULL,
  PRIMARY KEY (issuer, subject),
  UNIQUE (issuer, person_id)
);

-- Tries at a door in a calendar minute, over all processes: by e-mail and by address.
CREATE UNLOGGED TABLE sign_in_minute (
  door text NOT NULL, minute timestamptz(0) NOT NULL, tries int NOT NULL,
  PRIMARY KEY (door, minute)
) WITH (fillfactor = 50);

ALTER TABLE sign_in_link ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_merchant ON sign_in_link TO undersigned_app USING (merchant_id = current_merchant()) WITH CHECK (merchant_id = current_merchant());
-- Nobody reads these two: they are asked by function.
ALTER TABLE person_identity ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_members ON person_identity FOR SELECT TO undersigned_app USING (EXISTS (SELECT FROM member m WHERE m.person_id = person_identity.person_id));
ALTER TABLE sign_in_minute ENABLE ROW LEVEL SECURITY;
CREATE POLICY nobody ON sign_in_minute TO undersigned_app USING (false);

-- Whether a link may still be used: its place is open, and the person has none elsewhere, whose door this merchant's admin would open.
CREATE FUNCTION sign_in_link_holds(l sign_in_link) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT l.used_at IS NULL AND l.expires_at > public.ledger_clock()
     AND (SELECT array_agg(m.merchant_id) FROM public.member m WHERE m.person_id = l.person_id AND m.removed_at IS NULL) = ARRAY[l.merchant_id] $$;

-- Uses a link: sets the password and ends the person's other links and sign-ins. The person's id and merchant, or nothing.
CREATE FUNCTION sign_in_link_use(p_token_hash text, p_password_hash text) RETURNS TABLE (person_id text, merchant_id text) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE l record; now timestamptz := public.ledger_clock();
BEGIN
  UPDATE public.sign_in_link x SET used_at = now WHERE x.token_hash = p_token_hash AND x.used_at IS NULL AND public.sign_in_link_holds(x) RETURNING x.person_id, x.merchant_id INTO l;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE public.person p SET password_hash = p_password_hash WHERE p.id = l.person_id;
  UPDATE public.sign_in_link x SET used_at = now WHERE x.person_id = l.person_id AND x.used_at IS NULL;
  UPDATE public.sign_in s SET ended_at = now WHERE s.person_id = l.person_id AND s.ended_at IS NULL;
  person_id := l.person_id; merchant_id := l.merchant_id; RETURN NEXT;
END $$;

-- Whether a link may still be used, and whose it is: for the page that asks for the password.
CREATE FUNCTION sign_in_link_open(p_token_hash text) RETURNS TABLE (name text, email text, merchant text) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT p.name, p.email, s.name FROM public.sign_in_link l JOIN public.person p ON p.id = l.person_id JOIN public.merchant s ON s.id = l.merchant_id
   WHERE l.token_hash = p_token_hash AND public.sign_in_link_holds(l) $$;

-- The merchants where a person has a place: for changing from one to another.
CREATE FUNCTION person_places(p_person_id text) RETURNS TABLE (id text, name text) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT s.id, s.name FROM public.member m JOIN public.merchant s ON s.id = m.merchant_id WHERE m.person_id = p_person_id AND m.removed_at IS NULL ORDER BY s.name, s.id $$;

-- Who this identity is. An identity that is not known is linked, once, to the person with its verified e-mail who has a place somewhere.
CREATE FUNCTION identity_enter(p_issuer text, p_subject text, p_verified_email text) RETURNS TABLE (person_id text, merchant_id text) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE who text;
BEGIN
  SELECT i.person_id INTO who FROM public.person_identity i WHERE i.issuer = p_issuer AND i.subject = p_subject;
  IF who IS NULL AND p_verified_email IS NOT NULL THEN
    INSERT INTO public.person_identity (issuer, subject, person_id, linked_at)
      SELECT p_issuer, p_subject, p.id, public.ledger_clock() FROM public.person p WHERE p.email = lower(p_verified_email) AND EXISTS (SELECT FROM public.member m WHERE m.person_id = p.id AND m.removed_at IS NULL)
      ON CONFLICT DO NOTHING RETURNING public.person_identity.person_id INTO who;
  END IF;
  RETURN QUERY SELECT m.person_id, m.merchant_id FROM public.member m WHERE m.person_id = who AND m.removed_at IS NULL ORDER BY m.merchant_id LIMIT 1;
END $$;

-- Counts a try at each door and tells the highest count of this minute.
CREATE FUNCTION sign_in_try(p_doors text[]) RETURNS int LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH tried AS (
    INSERT INTO public.sign_in_minute AS s (door, minute, tries) SELECT d, date_trunc('minute', public.ledger_clock(), 'UTC'), 1 FROM unnest(p_doors) d ORDER BY d
      ON CONFLICT (door, minute) DO UPDATE SET tries = s.tries + 1 RETURNING tries)
  SELECT max(tries) FROM tried $$;

-- Counters of minutes that are long over.
CREATE FUNCTION forget_minutes() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  DELETE FROM public.sign_in_minute WHERE minute < public.ledger_clock() - interval '1 hour';
  DELETE FROM public.request_minute WHERE minute < public.ledger_clock() - interval '1 hour';
  DELETE FROM public.refusal_minute WHERE minute < public.ledger_clock() - interval '1 hour' AND (closed OR refusals <= 60);
  DELETE FROM public.stored_answer WHERE keep_until < public.ledger_clock() $$;

REVOKE ALL ON FUNCTION sign_in_link_holds, sign_in_link_use, sign_in_link_open, person_places, identity_enter, sign_in_try, forget_minutes FROM PUBLIC;
GRANT SELECT, INSERT ON sign_in_link TO undersigned_app;
GRANT SELECT ON person_identity, sign_in_minute TO undersigned_app;
GRANT EXECUTE ON FUNCTION sign_in_link_use, sign_in_link_open, person_places, identity_enter, sign_in_try, forget_minutes TO undersigned_app;
