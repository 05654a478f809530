-- Refusals that the log lists in a calendar minute: 60 of each key or person, and 600 of all keys of a merchant together. What is
-- beyond is counted, and the worker closes such a minute with one entry. The merchant's own row bears the merchant's id as its key.

CREATE FUNCTION refusal_bound(p_merchant text, p_key text) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT CASE WHEN p_key = p_merchant THEN 600 ELSE 60 END $$;

-- Counts one, and tells whether it is beyond the bound.
CREATE FUNCTION refusal_beyond(p_merchant text, p_key text, p_subject text) RETURNS boolean LANGUAGE sql AS $$
  INSERT INTO refusal_minute AS r (merchant_id, key_id, minute, subject, refusals) VALUES (p_merchant, p_key, date_trunc('minute', ledger_clock(), 'UTC'), p_subject, 1)
    ON CONFLICT (merchant_id, key_id, minute) DO UPDATE SET refusals = r.refusals + 1 RETURNING r.refusals > refusal_bound(p_merchant, p_key) $$;

-- The merchant's row counts what its keys have listed, and once that is full everything: no key is counted for itself any more, so that
-- closing entries are few as well. A person's attempts are not in it: keys that flood the log do not hide them.
CREATE OR REPLACE FUNCTION refusal_append(p_merchant text, p_subject text, p_key text, p_entry text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE s bigint; full_ boolean;
BEGIN
  full_ := p_key LIKE 'key-%' AND EXISTS (SELECT FROM refusal_minute r
    WHERE r.merchant_id = p_merchant AND r.key_id = p_merchant AND r.minute = date_trunc('minute', ledger_clock(), 'UTC') AND r.refusals >= refusal_bound(p_merchant, p_merchant));
  IF NOT full_ AND refusal_beyond(p_merchant, p_key, p_subject) THEN RETURN NULL; END IF;
  IF p_key LIKE 'key-%' AND refusal_beyond(p_merchant, p_merchant, p_merchant) THEN RETURN NULL; END IF;
  SELECT a.seq INTO s FROM ledger_append(p_merchant, p_entry) a;
  RETURN s;
END $$;

-- Minutes that are over and not closed, in which more was refused than is listed.
DROP FUNCTION refusal_minutes_over(int, int);
CREATE FUNCTION refusal_minutes_over(p_limit int) RETURNS TABLE (merchant_id text, key_id text, minute timestamptz, subject text, listed int) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT r.merchant_id, r.key_id, r.minute, r.subject, public.refusal_bound(r.merchant_id, r.key_id) FROM public.refusal_minute r
   WHERE r.refusals > 60 AND NOT r.closed AND r.refusals > public.refusal_bound(r.merchant_id, r.key_id) AND r.minute < date_trunc('minute', public.ledger_clock(), 'UTC') LIMIT p_limit $$;

CREATE OR REPLACE FUNCTION forget_minutes() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  DELETE FROM public.sign_in_minute WHERE minute < public.ledger_clock() - interval '1 hour';
  DELETE FROM public.request_minute WHERE minute < public.ledger_clock() - interval '1 hour';
  DELETE FROM public.refusal_minute WHERE minute < public.ledger_clock() - interval '1 hour' AND (closed OR refusals <= public.refusal_bound(merchant_id, key_id));
  DELETE FROM public.stored_answer WHERE keep_until < public.ledger_clock() $$;

REVOKE ALL ON FUNCTION refusal_bound, refusal_beyond, refusal_minutes_over FROM PUBLIC;
GRANT EXECUTE ON FUNCTION refusal_bound, refusal_beyond, refusal_minutes_over TO undersigned_app;
