-- Who decides is a member whose role decides, and an approval counts towards a quorum only as long as its person is one.

CREATE FUNCTION may_decide(p_merchant text, p_person text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM public.member m WHERE m.merchant_id = p_merchant AND m.person_id = p_person AND m.removed_at IS NULL AND m.role IN ('admin','operator')) $$;

-- The approvals that stand and whose persons may still decide.
CREATE FUNCTION counting_approvals(p_merchant text, p_change text) RETURNS TABLE (person_id text, revision int, at timestamptz) LANGUAGE sql STABLE AS $$
  SELECT s.person_id, s.revision, s.at FROM public.standing_approvals(p_merchant, p_change) s WHERE public.may_decide(p_merchant, s.person_id) $$;

CREATE OR REPLACE FUNCTION change_guard() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE held int; staged int; left_ record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'staged' OR NEW.revision <> 1 THEN RAISE 'a change begins staged at revision 1' USING ERRCODE = 'CS003'; END IF;
    IF NEW.id !~ '^chg-[A-Za-z0-9_-]{10}$' OR NEW.digest !~ '^[0-9a-f]{64}$' OR (NEW.agent_id IS NULL) = (NEW.staged_by IS NULL)
       OR NOT EXISTS (SELECT FROM public.payment p WHERE p.merchant_id = NEW.merchant_id AND p.id = NEW.payment_id AND p.order_id = NEW.order_id AND p.currency = NEW.currency) THEN
      RAISE 'not a change' USING ERRCODE = 'CS004'; END IF;
    UPDATE public.payment SET staged_minor = staged_minor + NEW.amount_minor WHERE merchant_id = NEW.merchant_id AND id = NEW.payment_id;
    RETURN NEW;
  END IF;
  IF (to_jsonb(NEW) - 'state' - 'revision' - 'effective_at') <> (to_jsonb(OLD) - 'state' - 'revision' - 'effective_at') THEN
    RAISE 'a change does not change after staging' USING ERRCODE = 'CS004'; END IF;
  IF NEW.revision <> OLD.revision + 1 OR NOT (OLD.state, NEW.state) IN (
      ('staged','staged'), ('staged','approved'), ('staged','rejected'), ('staged','withdrawn'), ('staged','expired'),
      ('approved','approved'), ('approved','staged'), ('approved','applying'), ('approved','failed'), ('approved','rejected'), ('approved','withdrawn'), ('approved','expired'),
      ('applying','applied'), ('applying','failed'), ('failed','applying'), ('failed','withdrawn')) THEN
    RAISE 'change % does not move % -> % (revision % -> %)', OLD.id, OLD.state, NEW.state, OLD.revision, NEW.revision USING ERRCODE = 'CS003'; END IF;
  -- The deferred key sees only the last version of a row in a transaction: without this, two moves could share one entry.
  IF NOT EXISTS (SELECT FROM public.entry e WHERE e.merchant_id = OLD.merchant_id AND e.subject = OLD.id AND e.revision = OLD.revision) THEN
    RAISE 'change % moves again before its entry', OLD.id USING ERRCODE = 'CS005'; END IF;
  -- The last signature is being written, or a failed change is tried again: the others must count today.
  IF (OLD.state, NEW.state) IN (('staged','approved'), ('failed','applying'))
     AND (SELECT count(*) FROM public.counting_approvals(NEW.merchant_id, NEW.id)) + (NEW.state = 'approved')::int < NEW.required THEN
    RAISE 'change % is approved by too few', NEW.id USING ERRCODE = 'CS010'; END IF;
  staged := (NEW.state = 'staged')::int - (OLD.state = 'staged')::int;
  held := (NEW.state IN ('approved','applying'))::int - (OLD.state IN ('approved','applying'))::int;
  IF staged = 0 AND held = 0 THEN RETURN NEW; END IF;
  -- What is not done yet is what is held, or let go.
  SELECT coalesce(sum(i.amount), 0) AS amount, coalesce(array_agg(i.item), '{}') AS items, count(*) AS n INTO left_ FROM public.change_items(NEW.merchant_id, NEW.id) i
   WHERE NOT EXISTS (SELECT FROM public.platform_write w WHERE w.merchant_id = NEW.merchant_id AND w.change_id = NEW.id AND w.item = i.item AND w.state = 'done');
  IF NEW.state = 'applied' AND (left_.n > 0 OR NEW.amount_minor IS DISTINCT FROM
       (SELECT sum(w.amount_minor) FROM public.platform_write w WHERE w.merchant_id = NEW.merchant_id AND w.change_id = NEW.id AND w.state = 'done')) THEN
    RAISE 'change % is applied before its items are done', NEW.id USING ERRCODE = 'CS009'; END IF;
  UPDATE public.payment SET staged_minor = staged_minor + staged * NEW.amount_minor, held_minor = held_minor + held * left_.amount
   WHERE merchant_id = NEW.merchant_id AND id = NEW.payment_id;
  PERFORM public.items_move(NEW.merchant_id, NEW.id, left_.items, held, 0);
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION decision_guard() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE c record; stands boolean := EXISTS (SELECT FROM public.standing_approvals(NEW.merchant_id, NEW.change_id) s WHERE s.person_id = NEW.person_id);
BEGIN
  SELECT x.digest, x.excludes INTO c FROM public.change x WHERE x.merchant_id = NEW.merchant_id AND x.id = NEW.change_id;
  IF NEW.kind IN ('endorse','approve') AND (stands OR NEW.person_id = ANY (c.excludes)) OR NEW.kind = 'retract' AND NOT stands
     OR c.digest IS DISTINCT FROM NEW.seen_digest OR NOT public.may_decide(NEW.merchant_id, NEW.person_id) THEN
    RAISE 'a decision that may not be: % by % on %', NEW.kind, NEW.person_id, NEW.change_id USING ERRCODE = 'CS010'; END IF;
  RETURN NEW;
END $$;

REVOKE ALL ON FUNCTION may_decide, counting_approvals FROM PUBLIC;
GRANT EXECUTE ON FUNCTION may_decide, counting_approvals TO undersigned_app;
