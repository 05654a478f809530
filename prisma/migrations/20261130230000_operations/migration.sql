-- What the operators of an installation ask across merchants, by function only: is the schema whole, does work pile up.

CREATE FUNCTION migrations_applied() RETURNS TABLE (name text) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT m.migration_name::text FROM public._prisma_migrations m WHERE m.finished_at IS NOT NULL AND m.rolled_back_at IS NULL ORDER BY 1;
END $$;

CREATE FUNCTION outbox_due() RETURNS TABLE (due bigint, oldest_seconds double precision) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT count(*), coalesce(extract(epoch FROM public.ledger_clock() - min(o.due_at)), 0)::double precision FROM public.outbox o WHERE o.due_at <= public.ledger_clock() $$;

REVOKE ALL ON FUNCTION migrations_applied, outbox_due FROM PUBLIC;
GRANT EXECUTE ON FUNCTION migrations_applied, outbox_due TO undersigned_app;
