-- People propose too, a change may take another's place, and an approver may lower what was proposed.

ALTER TABLE change ADD COLUMN trimmed_by text;          -- who lowered the change whose place this one takes, and is not its stager

-- A person who stages or trims is one who decides. What takes a change's place comes from its stager, against the same payment, once that
-- change is withdrawn, and nobody who might not approve the one may approve the other. A trim asks for less.
CREATE FUNCTION change_origin() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE person text := coalesce(NEW.trimmed_by, NEW.staged_by);
BEGIN
  IF person IS NOT NULL AND NOT public.may_decide(NEW.merchant_id, person) OR NEW.trimmed_by = ANY (NEW.excludes) OR NEW.staged_by <> ALL (NEW.excludes) THEN
    RAISE '% may not stage this, or may approve it', person USING ERRCODE = 'CS010'; END IF;
  IF (NEW.supersedes IS NOT NULL OR NEW.trimmed_by IS NOT NULL) AND NOT EXISTS (SELECT FROM public.change o WHERE o.merchant_id = NEW.merchant_id AND o.id = NEW.supersedes AND o.state = 'withdrawn'
       AND (o.kind, o.payment_id) = (NEW.kind, NEW.payment_id) AND o.agent_id IS NOT DISTINCT FROM NEW.agent_id AND o.staged_by IS NOT DISTINCT FROM NEW.staged_by
       AND NEW.excludes @> o.excludes AND (NEW.trimmed_by IS NULL OR NEW.amount_minor < o.amount_minor)) THEN
    RAISE 'change % does not take the place of %', NEW.id, NEW.supersedes USING ERRCODE = 'CS004'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER change_origin BEFORE INSERT ON change FOR EACH ROW WHEN (NEW.supersedes IS NOT NULL OR NEW.staged_by IS NOT NULL OR NEW.trimmed_by IS NOT NULL) EXECUTE FUNCTION change_origin();

-- A trim is a person's deed: it counts to no agent's day. What waits is counted whoever made it wait.
CREATE OR REPLACE FUNCTION change_tally() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE waits int := (NEW.state = 'staged')::int - CASE WHEN TG_OP = 'INSERT' THEN 0 ELSE (OLD.state = 'staged')::int END;
BEGIN
  IF TG_OP = 'INSERT' AND NEW.trimmed_by IS NULL THEN
    INSERT INTO public.agent_day AS d VALUES (NEW.merchant_id, NEW.agent_id, public.merchant_day(NEW.merchant_id, public.ledger_clock()), NEW.currency, 1, NEW.amount_minor)
      ON CONFLICT (merchant_id, agent_id, day, currency) DO UPDATE SET changes = d.changes + 1, amount_minor = d.amount_minor + excluded.amount_minor;
  END IF;
  IF waits <> 0 THEN UPDATE public.agent SET pending = pending + waits WHERE merchant_id = NEW.merchant_id AND id = NEW.agent_id; END IF;
  RETURN NULL;
END $$;

ALTER TYPE stage_item ADD ATTRIBUTE staged_by text, ADD ATTRIBUTE trimmed_by text;

-- A new change with all that belongs to it, and its entry. `p_seq` is the entry's: the head's next under the lock.
CREATE FUNCTION stage_insert(p_merchant text, i stage_item, p_seq bigint, OUT seq bigint, OUT at timestamptz, OUT leaf_hash text) LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO change (merchant_id, id, revision, state, kind, digest, agent_id, key_id, session_id, staged_by, trimmed_by, order_id, payment_id, currency, amount_minor, reason, required, policy, excludes, supersedes, staged_at, staged_seq, expires_at)
  VALUES (p_merchant, i.id, 1, 'staged', 'refund', i.digest, i.agent_id, i.key_id, i.session_id, i.staged_by, i.trimmed_by, i.order_id, i.payment_id, i.currency, i.amount_minor, i.reason, i.required, i.policy, i.excludes, i.supersedes, i.staged_at, p_seq, i.expires_at);
  INSERT INTO change_content (merchant_id, change_id, content) VALUES (p_merchant, i.id, i.content);
  INSERT INTO change_verdict (merchant_id, change_id, verdict) VALUES (p_merchant, i.id, i.verdict);
  INSERT INTO outbox (merchant_id, type, subject, due_at) VALUES (p_merchant, 'change.expire', i.id, i.expires_at);
  SELECT a.seq, a.at, a.leaf_hash INTO seq, at, leaf_hash FROM ledger_append(p_merchant, i.entry) a;
END $$;

-- As before, with the rows written by `stage_insert`; who may not approve is at least who the key's persons are.
CREATE OR REPLACE FUNCTION stage_write(p_merchant text, i stage_item, OUT outcome text, OUT status int, OUT body text) LANGUAGE plpgsql AS $$
DECLARE l record; a record;
BEGIN
  SELECT * INTO l FROM ledger_lock(p_merchant);
  SELECT x.request_hash, x.status, x.body INTO a FROM stored_answer x WHERE x.merchant_id = p_merchant AND x.agent_id = i.agent_id AND x.key = i.key AND (x.keep_until IS NULL OR x.keep_until > l.now);
  IF FOUND THEN
    IF a.request_hash = i.request_hash THEN outcome := 'replayed'; status := a.status; body := a.body; ELSE outcome := 'idempotency_mismatch'; END IF;
    RETURN;
  END IF;
  IF l.paused OR l.policy_version <> i.policy OR NOT EXISTS (SELECT FROM payment p WHERE p.merchant_id = p_merchant AND p.id = i.payment_id
       AND ARRAY[p.captured_minor, p.refunded_minor, p.held_minor, p.disputed_minor, p.staged_minor] = i.seen)
     OR NOT EXISTS (SELECT FROM agent_key k WHERE k.merchant_id = p_merchant AND k.id = i.key_id AND k.revoked_at IS NULL AND k.expires_at > l.clock AND k.persons <@ i.excludes)
     OR NOT within_velocity(p_merchant, i.policy, i.agent_id, i.currency, i.amount_minor, l.clock) THEN
    outcome := 'moved'; RETURN;
  END IF;
  PERFORM stage_insert(p_merchant, i, l.next_seq);
  INSERT INTO stored_answer AS s (merchant_id, agent_id, key, request_hash, status, body, at) VALUES (p_merchant, i.agent_id, i.key, i.request_hash, 201, i.body, l.now)
    ON CONFLICT (merchant_id, agent_id, key) DO UPDATE SET request_hash = excluded.request_hash, status = 201, body = excluded.body, at = excluded.at, keep_until = NULL;
  outcome := 'staged'; status := 201; body := i.body;
END $$;

REVOKE ALL ON FUNCTION change_origin, stage_insert FROM PUBLIC;
GRANT EXECUTE ON FUNCTION stage_insert TO undersigned_app;
