-- One-time links are told in the log: who made one for whom, and that it was used. A newer one ends the person's older ones.

-- Those that were made before have no entry. They end; a new one is made in a minute.
UPDATE sign_in_link SET used_at = ledger_clock() WHERE used_at IS NULL;

-- The entry comes first: no link without it, whoever inserts.
CREATE FUNCTION sign_in_link_guard() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$ BEGIN
  IF NOT EXISTS (SELECT FROM public.member m JOIN public.entry e ON e.merchant_id = m.merchant_id AND e.subject = m.id AND e.type = 'member.link_made'
       WHERE m.merchant_id = NEW.merchant_id AND m.person_id = NEW.person_id AND (e.entry::json -> 'data' ->> 'person', e.entry::json -> 'data' ->> 'link') = (NEW.person_id, NEW.token_hash)) THEN
    RAISE 'a link without its entry' USING ERRCODE = 'CS005'; END IF;
  UPDATE public.sign_in_link x SET used_at = NEW.created_at WHERE x.person_id = NEW.person_id AND x.used_at IS NULL;
  RETURN NEW; END $$;
CREATE TRIGGER sign_in_link_guard BEFORE INSERT ON sign_in_link FOR EACH ROW EXECUTE FUNCTION sign_in_link_guard();

-- Uses a link: sets the password, ends the person's other links and sign-ins, and says so in the log. The person's id and merchant, or nothing.
CREATE OR REPLACE FUNCTION sign_in_link_use(p_token_hash text, p_password_hash text) RETURNS TABLE (person_id text, merchant_id text) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE l record; now timestamptz := public.ledger_clock();
BEGIN
  SELECT m.id AS member_id, m.merchant_id, m.person_id INTO l FROM public.sign_in_link x JOIN public.member m ON m.merchant_id = x.merchant_id AND m.person_id = x.person_id WHERE x.token_hash = p_token_hash;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM public.ledger_lock(l.merchant_id);      -- first, as whoever appends
  UPDATE public.sign_in_link x SET used_at = now WHERE x.token_hash = p_token_hash AND x.used_at IS NULL AND public.sign_in_link_holds(x);
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE public.person p SET password_hash = p_password_hash WHERE p.id = l.person_id;
  UPDATE public.sign_in_link x SET used_at = now WHERE x.person_id = l.person_id AND x.used_at IS NULL;
  UPDATE public.sign_in s SET ended_at = now WHERE s.person_id = l.person_id AND s.ended_at IS NULL;
  PERFORM public.ledger_append(l.merchant_id, format('{"actor":{"id":"%1$s","kind":"person"},"data":{"link":"%2$s","person":"%1$s"},"subject":"%3$s","type":"member.link_used"}', l.person_id, p_token_hash, l.member_id));
  person_id := l.person_id; merchant_id := l.merchant_id; RETURN NEXT;
END $$;

-- Whose link this is, with the person's id: someone else who is signed in does not take it.
DROP FUNCTION sign_in_link_open(text);
CREATE FUNCTION sign_in_link_open(p_token_hash text) RETURNS TABLE (person_id text, name text, email text, merchant text) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT p.id, p.name, p.email, s.name FROM public.sign_in_link l JOIN public.person p ON p.id = l.person_id JOIN public.merchant s ON s.id = l.merchant_id
   WHERE l.token_hash = p_token_hash AND public.sign_in_link_holds(l) $$;

REVOKE ALL ON FUNCTION sign_in_link_guard, sign_in_link_use, sign_in_link_open FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sign_in_link_use, sign_in_link_open TO undersigned_app;
