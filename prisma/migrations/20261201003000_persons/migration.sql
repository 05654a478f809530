-- A person is made by function only, once per e-mail: whoever asks at the same time waits, and finds the one that was made.
CREATE FUNCTION person_make(p_id text, p_email text, p_name text, p_password_hash text) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  INSERT INTO public.person (id, email, name, password_hash, created_at) VALUES (p_id, p_email, p_name, p_password_hash, public.ledger_clock()) ON CONFLICT (email) DO NOTHING $$;

DROP POLICY anyone_new ON person;
REVOKE INSERT ON person FROM undersigned_app;
REVOKE ALL ON FUNCTION person_make FROM PUBLIC;
GRANT EXECUTE ON FUNCTION person_make TO undersigned_app;
