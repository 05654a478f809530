-- Tenancy a second time: under the application's login a transaction sees and writes the rows of one merchant, the one it named.
-- The code asks for its merchant's rows as well; this holds where it forgets. Triggers and the owner are not bound by it.

CREATE FUNCTION current_merchant() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE RETURN current_setting('undersigned.merchant', true);
GRANT EXECUTE ON FUNCTION current_merchant TO undersigned_app;

DO $$
DECLARE t text;
BEGIN
  FOR t IN SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'merchant_id'
            WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY own_merchant ON %I TO undersigned_app USING (merchant_id = current_merchant()) WITH CHECK (merchant_id = current_merchant())', t);
  END LOOP;
END $$;

ALTER TABLE merchant ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_merchant ON merchant TO undersigned_app USING (id = current_merchant()) WITH CHECK (id = current_merchant());

-- A person belongs to no merchant; a merchant sees those who are its members. Anyone may be added.
ALTER TABLE person ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_members ON person FOR SELECT TO undersigned_app USING (EXISTS (SELECT FROM member m WHERE m.person_id = person.id));
CREATE POLICY own_members_change ON person FOR UPDATE TO undersigned_app USING (EXISTS (SELECT FROM member m WHERE m.person_id = person.id));
CREATE POLICY anyone_new ON person FOR INSERT TO undersigned_app WITH CHECK (true);

-- ───────────────────────────────────────────────────────────── what must look across merchants, by function only
-- Who has this e-mail, with the places that are open to them.
CREATE FUNCTION person_by_email(p_email text) RETURNS TABLE (id text, password_hash text, merchant_ids text[]) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT p.id, p.password_hash, ARRAY(SELECT m.merchant_id FROM public.member m WHERE m.person_id = p.id AND m.removed_at IS NULL ORDER BY m.merchant_id)
    FROM public.person p WHERE p.email = p_email $$;

CREATE FUNCTION merchants() RETURNS TABLE (id text, slug text) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT m.id, m.slug FROM public.merchant m ORDER BY m.id $$;

-- Effects that are due, leased for a minute.
CREATE FUNCTION outbox_claim(p_limit int) RETURNS TABLE (merchant_id text, id bigint, type text, subject text, attempts int) LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE public.outbox o SET due_at = public.ledger_clock() + interval '1 minute', attempts = o.attempts + 1
    FROM (SELECT x.merchant_id, x.id FROM public.outbox x WHERE x.due_at <= public.ledger_clock() ORDER BY x.due_at LIMIT p_limit FOR UPDATE SKIP LOCKED) due
   WHERE o.merchant_id = due.merchant_id AND o.id = due.id
  RETURNING o.merchant_id, o.id, o.type, o.subject, o.attempts $$;

-- Minutes that are over in which a key was refused more often than the log lists.
CREATE FUNCTION refusal_minutes_over(p_logged int, p_limit int) RETURNS TABLE (merchant_id text, key_id text, minute timestamptz, subject text) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT r.merchant_id, r.key_id, r.minute, r.subject FROM public.refusal_minute r
   WHERE r.refusals > 60 AND NOT r.closed AND r.refusals > p_logged AND r.minute < date_trunc('minute', public.ledger_clock(), 'UTC') LIMIT p_limit $$;

ALTER FUNCTION key_enter SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp;

REVOKE ALL ON FUNCTION person_by_email, merchants, outbox_claim, refusal_minutes_over FROM PUBLIC;
GRANT EXECUTE ON FUNCTION person_by_email, merchants, outbox_claim, refusal_minutes_over TO undersigned_app;
