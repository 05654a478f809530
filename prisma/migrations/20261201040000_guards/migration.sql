-- Who acts in an entry is who may, and a row beside the log says what its entry says, whoever writes with the application's login.
--
-- SQLSTATEs: CS001 append-only · CS003 illegal transition · CS004 immutable member, or a change that is not what it says it is
--            CS005 move without entry, or a row that its entry does not tell of · CS006 entry disagrees with its change · CS007 unknown log
--            CS008 not an entry · CS009 money without its change · CS010 a decision, or an actor, that may not be

-- A key's owner and its maker are of its persons from the start (I6).
CREATE TRIGGER agent_key_made BEFORE INSERT ON agent_key FOR EACH ROW EXECUTE FUNCTION agent_key_guard();

-- Whether a trim only lowers: nothing is asked for that was not, none of it more, and less of it all.
CREATE FUNCTION trim_lowers(p_merchant text, p_trim text, p_of text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(n.amount) < (SELECT sum(o.amount) FROM public.change_items(p_merchant, p_of) o) AND count(*) = count(DISTINCT (n.target, n.field))
      AND bool_and(EXISTS (SELECT FROM public.change_items(p_merchant, p_of) o
        WHERE (o.target, o.field) = (n.target, n.field) AND n.amount BETWEEN 0 AND o.amount AND (n.quantity IS NOT DISTINCT FROM o.quantity OR n.quantity BETWEEN 1 AND o.quantity))), false)
    FROM public.change_items(p_merchant, p_trim) n $$;

-- Who stages, sets a time, and carries out.
CREATE FUNCTION entry_party() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  actor json := NEW.entry::json -> 'actor'; person text := CASE actor ->> 'kind' WHEN 'person' THEN actor ->> 'id' END; c record; b record; may boolean;
BEGIN
  IF NEW.type = 'change.staged' THEN
    SELECT x.agent_id, x.staged_by, x.trimmed_by, x.supersedes, x.excludes, k.agent_id AS key_of, k.persons INTO c
      FROM public.change x LEFT JOIN public.agent_key k ON k.merchant_id = x.merchant_id AND k.id = x.key_id WHERE x.merchant_id = NEW.merchant_id AND x.id = NEW.subject;
    may := c.agent_id IS NULL OR c.key_of = c.agent_id AND c.persons <@ c.excludes;
    IF c.trimmed_by IS NOT NULL THEN                  -- staged in its stager's name, by whoever withdrew what it lowers
      SELECT (s.entry::json -> 'actor')::text AS stager, w.entry::json -> 'actor' AS trimmer INTO b FROM public.change o
        JOIN public.entry s ON s.merchant_id = o.merchant_id AND s.subject = o.id AND s.revision = 1
        JOIN public.entry w ON w.merchant_id = o.merchant_id AND w.subject = o.id AND w.revision = o.revision WHERE o.merchant_id = NEW.merchant_id AND o.id = c.supersedes;
      may := may AND actor::text = b.stager AND (b.trimmer ->> 'kind', b.trimmer ->> 'id') = ('person', c.trimmed_by);
      IF NOT public.trim_lowers(NEW.merchant_id, NEW.subject, c.supersedes) THEN RAISE '% does not only lower %', NEW.subject, c.supersedes USING ERRCODE = 'CS004'; END IF;
    ELSIF c.agent_id IS NOT NULL THEN                 -- for the key's owner: as of the request, which may have come before the key was given away
      may := may AND (actor ->> 'kind', actor ->> 'id') = ('agent', c.agent_id) AND actor ->> 'for' = ANY (c.persons);
    ELSE
      may := person = c.staged_by;
    END IF;
  ELSIF NEW.type = 'change.scheduled' THEN
    SELECT x.excludes, x.effective_at INTO c FROM public.change x WHERE x.merchant_id = NEW.merchant_id AND x.id = NEW.subject;
    IF (NEW.entry::json -> 'data' ->> 'at')::timestamptz IS DISTINCT FROM c.effective_at THEN RAISE '% is set to another time than its entry says', NEW.subject USING ERRCODE = 'CS006'; END IF;
    may := public.may_decide(NEW.merchant_id, person) AND person <> ALL (c.excludes);
  ELSE                                                -- as whoever set it to be applied; a failed one is tried again by one who might approve it
    SELECT e.type, e.entry::json -> 'actor' ->> 'id' AS actor, x.excludes INTO b FROM public.entry e JOIN public.change x ON x.merchant_id = e.merchant_id AND x.id = e.subject
     WHERE e.merchant_id = NEW.merchant_id AND e.subject = NEW.subject AND e.revision = NEW.revision - 1;
    may := CASE b.type WHEN 'change.failed' THEN public.may_decide(NEW.merchant_id, person) AND person <> ALL (b.excludes) ELSE person = b.actor END;
  END IF;
  IF may IS NOT TRUE THEN RAISE '% may not act in % of %', actor, NEW.type, NEW.subject USING ERRCODE = 'CS010'; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER entry_party AFTER INSERT ON entry FOR EACH ROW
  WHEN (NEW.type IN ('change.staged','change.scheduled','change.applying','change.applied','change.failed')) EXECUTE FUNCTION entry_party();

-- A chosen time belongs to the entry that sets it, of the same person and to the same instant.
CREATE FUNCTION change_schedule_told() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$ BEGIN
  IF NOT EXISTS (SELECT FROM public.entry e WHERE e.merchant_id = NEW.merchant_id AND e.subject = NEW.change_id AND e.revision = NEW.revision AND e.type = 'change.scheduled'
       AND e.entry::json -> 'actor' ->> 'id' = NEW.person_id AND (e.entry::json -> 'data' ->> 'at')::timestamptz = NEW.at) THEN
    RAISE 'a time of % that its entry does not tell of', NEW.change_id USING ERRCODE = 'CS005'; END IF;
  RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER change_schedule_told AFTER INSERT ON change_schedule DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION change_schedule_told();

-- The last entry of these types about a merchant itself; with `p_actor` and `p_data`, by this person and saying this.
CREATE FUNCTION last_about(p_merchant text, p_types text[], p_actor text DEFAULT NULL, p_data text DEFAULT NULL) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT e.seq FROM public.entry e WHERE e.merchant_id = p_merchant AND e.subject = p_merchant AND e.revision IS NULL AND e.type = ANY (p_types)
     AND (p_actor IS NULL OR (e.entry::json -> 'actor' ->> 'kind', e.entry::json -> 'actor' ->> 'id') = ('person', p_actor)) AND (p_data IS NULL OR (e.entry::json -> 'data')::text = p_data)
   ORDER BY e.seq DESC LIMIT 1 $$;

-- What waits is what was last told of and has not ended; it goes with the entry that ends it.
CREATE FUNCTION waits_as_told(p_merchant text, p_gone boolean, p_begins text, p_ends text[], p_actor text, p_data text) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE
  own bigint := public.last_about(p_merchant, ARRAY[p_begins], p_actor, p_data);
  began bigint := public.last_about(p_merchant, ARRAY[p_begins]);
  ended bigint := coalesce(public.last_about(p_merchant, p_ends), -1);
BEGIN
  IF p_gone AND ended < own OR NOT p_gone AND (own IS NULL OR own < greatest(began, ended)) THEN
    RAISE 'the log of % tells otherwise of %', p_merchant, p_begins USING ERRCODE = 'CS005'; END IF;
END $$;

CREATE FUNCTION policy_proposal_told() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE r record;
BEGIN
  IF TG_OP = 'DELETE' THEN r := OLD; ELSE r := NEW; END IF;
  PERFORM public.waits_as_told(r.merchant_id, TG_OP = 'DELETE', 'policy.proposed', ARRAY['policy.published','policy.declined'], r.proposed_by, format('{"base":%s,"rules":%s}', r.base, r.rules));
  RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER policy_proposal_told AFTER INSERT OR DELETE ON policy_proposal DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION policy_proposal_told();

CREATE FUNCTION pause_told() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE r record;
BEGIN
  IF TG_OP = 'DELETE' THEN r := OLD; ELSE r := NEW; END IF;
  PERFORM public.waits_as_told(r.merchant_id, TG_OP = 'DELETE', 'merchant.paused', ARRAY['merchant.resumed'], r.paused_by, format('{"reasonDigest":"%s"}', r.reason_digest));
  RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER pause_told AFTER INSERT OR DELETE ON pause DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION pause_told();

REVOKE ALL ON FUNCTION trim_lowers, entry_party, change_schedule_told, last_about, waits_as_told, policy_proposal_told, pause_told FROM PUBLIC;
