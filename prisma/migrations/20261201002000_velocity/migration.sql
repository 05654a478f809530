-- What an agent staged by day of its merchant's time zone, whatever became of it, and how much of it waits. Kept by a trigger, so that
-- staging compares caps with one row under the log's lock and no cap is overshot by calls that came together.

CREATE TABLE agent_day (
  merchant_id  text NOT NULL,
  agent_id     text NOT NULL,
  day          date NOT NULL,
  currency     text NOT NULL,
  changes      int NOT NULL,
  amount_minor bigint NOT NULL,
  PRIMARY KEY (merchant_id, agent_id, day, currency)
) WITH (fillfactor = 50);
ALTER TABLE agent ADD COLUMN pending int NOT NULL DEFAULT 0 CHECK (pending >= 0);

ALTER TABLE agent_day ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_merchant ON agent_day TO undersigned_app USING (merchant_id = current_merchant()) WITH CHECK (merchant_id = current_merchant());
GRANT SELECT ON agent_day TO undersigned_app;

CREATE FUNCTION merchant_day(p_merchant text, p_at timestamptz) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT (p_at AT TIME ZONE m.time_zone)::date FROM public.merchant m WHERE m.id = p_merchant $$;

INSERT INTO agent_day SELECT c.merchant_id, c.agent_id, merchant_day(c.merchant_id, c.staged_at), c.currency, count(*), sum(c.amount_minor)
  FROM change c WHERE c.agent_id IS NOT NULL GROUP BY 1, 2, 3, 4;
UPDATE agent a SET pending = (SELECT count(*) FROM change c WHERE c.merchant_id = a.merchant_id AND c.agent_id = a.id AND c.state = 'staged');

CREATE FUNCTION change_tally() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE waits int := (NEW.state = 'staged')::int - CASE WHEN TG_OP = 'INSERT' THEN 0 ELSE (OLD.state = 'staged')::int END;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO public.agent_day AS d VALUES (NEW.merchant_id, NEW.agent_id, public.merchant_day(NEW.merchant_id, public.ledger_clock()), NEW.currency, 1, NEW.amount_minor)
      ON CONFLICT (merchant_id, agent_id, day, currency) DO UPDATE SET changes = d.changes + 1, amount_minor = d.amount_minor + excluded.amount_minor;
  END IF;
  IF waits <> 0 THEN UPDATE public.agent SET pending = pending + waits WHERE merchant_id = NEW.merchant_id AND id = NEW.agent_id; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER change_tally AFTER INSERT OR UPDATE OF state ON change FOR EACH ROW WHEN (NEW.agent_id IS NOT NULL) EXECUTE FUNCTION change_tally();

-- What this agent has staged by now, on the day of `p_at`. Amounts as text: a number in JSON would pass through a float.
CREATE FUNCTION agent_velocity(p_merchant text, p_agent text, p_currency text, p_at timestamptz) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('changes', coalesce(sum(d.changes), 0), 'refundMinor', coalesce(sum(d.amount_minor) FILTER (WHERE d.currency = p_currency), 0)::text,
      'pending', (SELECT a.pending FROM public.agent a WHERE a.merchant_id = p_merchant AND a.id = p_agent))
    FROM public.agent_day d WHERE d.merchant_id = p_merchant AND d.agent_id = p_agent AND d.day = public.merchant_day(p_merchant, p_at) $$;

-- One more of this amount is within the agent's caps of this policy; a rule that it does not have caps nothing.
CREATE FUNCTION within_velocity(p_merchant text, p_policy int, p_agent text, p_currency text, p_amount bigint, p_at timestamptz) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE r json := (SELECT p.rules::json FROM public.policy p WHERE p.merchant_id = p_merchant AND p.version = p_policy);
        v json := public.agent_velocity(p_merchant, p_agent, p_currency, p_at);
BEGIN
  RETURN coalesce((v ->> 'changes')::bigint < (r ->> 'agent_daily_changes')::bigint, true)
     AND coalesce((v ->> 'pending')::bigint < (r ->> 'max_pending_per_agent')::bigint, true)
     AND coalesce((v ->> 'refundMinor')::bigint + p_amount <= (r -> 'agent_daily_refund_total' ->> p_currency)::bigint, true);
END $$;

-- How many members may approve what these persons may not.
CREATE FUNCTION eligible_approvers(p_merchant text, p_excludes text[]) RETURNS int LANGUAGE sql STABLE AS $$
  SELECT count(*)::int FROM public.member m WHERE m.merchant_id = p_merchant AND m.person_id <> ALL (p_excludes) AND public.may_decide(p_merchant, m.person_id) $$;

CREATE INDEX decision_of_person ON decision (merchant_id, person_id, at);

-- The money that a person's standing approvals of this day put forward, this change aside.
CREATE FUNCTION approved_today(p_merchant text, p_person text, p_currency text, p_but text, p_at timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(c.amount_minor), 0)::bigint FROM public.change c WHERE c.merchant_id = p_merchant AND c.currency = p_currency AND c.id IN (
    SELECT d.change_id FROM public.decision d WHERE d.merchant_id = p_merchant AND d.person_id = p_person AND d.kind IN ('endorse', 'approve') AND d.change_id <> p_but
       AND d.at >= (public.merchant_day(p_merchant, p_at)::timestamp AT TIME ZONE (SELECT m.time_zone FROM public.merchant m WHERE m.id = p_merchant))
       AND NOT EXISTS (SELECT FROM public.decision x WHERE x.merchant_id = p_merchant AND x.change_id = d.change_id AND x.person_id = p_person AND x.kind = 'retract' AND x.revision > d.revision)) $$;

REVOKE ALL ON FUNCTION merchant_day, change_tally, agent_velocity, within_velocity, eligible_approvers, approved_today FROM PUBLIC;
GRANT EXECUTE ON FUNCTION merchant_day, agent_velocity, within_velocity, eligible_approvers, approved_today TO undersigned_app;

-- Staging: the facts carry the agent's day, and the write compares it under the lock.
CREATE OR REPLACE FUNCTION stage_facts(p_merchant text, p_session text, p_key_id text, p_order text, p_since timestamptz) RETURNS json LANGUAGE plpgsql AS $$ BEGIN
  PERFORM set_config('undersigned.merchant', p_merchant, true);
  RETURN (SELECT json_build_object(
    'policyVersion', h.policy_version, 'paused', h.paused,
    'read', (SELECT r.whole FROM provenance r WHERE r.merchant_id = p_merchant AND r.session_id = p_session AND r.subject_id = p_order),
    'excludes', (SELECT k.persons FROM agent_key k WHERE k.merchant_id = p_merchant AND k.id = p_key_id AND k.revoked_at IS NULL AND k.expires_at > ledger_clock()),
    'eligible', (SELECT eligible_approvers(p_merchant, k.persons) FROM agent_key k WHERE k.merchant_id = p_merchant AND k.id = p_key_id),
    'velocity', (SELECT agent_velocity(p_merchant, k.agent_id, (SELECT o.currency FROM shop_order o WHERE o.merchant_id = p_merchant AND o.id = p_order), ledger_clock()) FROM agent_key k WHERE k.merchant_id = p_merchant AND k.id = p_key_id),
    'otherRefunds', order_refunds(p_merchant, p_order, NULL, NULL, p_since)::text,
    'order', (SELECT json_build_object('id', o.id, 'number', o.number, 'currency', o.currency, 'placedAt', o.placed_at, 'customerId', o.customer_id,
      'shippingMinor', o.shipping_minor::text, 'shippingRefundedMinor', o.shipping_refunded_minor::text, 'shippingHeldMinor', o.shipping_held_minor::text,
      'payment', (SELECT json_build_object('id', p.id, 'currency', p.currency, 'paidAt', p.paid_at, 'capturedMinor', p.captured_minor::text, 'refundedMinor', p.refunded_minor::text,
        'heldMinor', p.held_minor::text, 'disputedMinor', p.disputed_minor::text, 'stagedMinor', p.staged_minor::text) FROM payment p WHERE p.order_id = o.id AND p.merchant_id = p_merchant),
      'lines', (SELECT coalesce(json_agg(json_build_object('id', l.id, 'position', l.position, 'sku', l.sku, 'title', l.title, 'quantity', l.quantity, 'paidMinor', l.paid_minor::text,
        'refundedMinor', l.refunded_minor::text, 'heldMinor', l.held_minor::text, 'refundedQuantity', l.refunded_quantity, 'heldQuantity', l.held_quantity) ORDER BY l.position), '[]')
        FROM order_line l WHERE l.order_id = o.id AND l.merchant_id = p_merchant))
      FROM shop_order o WHERE o.merchant_id = p_merchant AND o.id = p_order))
    FROM head h WHERE h.merchant_id = p_merchant);
END $$;

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
     OR NOT EXISTS (SELECT FROM agent_key k WHERE k.merchant_id = p_merchant AND k.id = i.key_id AND k.revoked_at IS NULL AND k.expires_at > l.clock AND k.persons = i.excludes)
     OR NOT within_velocity(p_merchant, i.policy, i.agent_id, i.currency, i.amount_minor, l.clock) THEN
    outcome := 'moved'; RETURN;
  END IF;
  INSERT INTO change (merchant_id, id, revision, state, kind, digest, agent_id, key_id, session_id, order_id, payment_id, currency, amount_minor, reason, required, policy, excludes, supersedes, staged_at, staged_seq, expires_at)
  VALUES (p_merchant, i.id, 1, 'staged', 'refund', i.digest, i.agent_id, i.key_id, i.session_id, i.order_id, i.payment_id, i.currency, i.amount_minor, i.reason, i.required, i.policy, i.excludes, i.supersedes, i.staged_at, l.next_seq, i.expires_at);
  INSERT INTO change_content (merchant_id, change_id, content) VALUES (p_merchant, i.id, i.content);
  INSERT INTO change_verdict (merchant_id, change_id, verdict) VALUES (p_merchant, i.id, i.verdict);
  INSERT INTO outbox (merchant_id, type, subject, due_at) VALUES (p_merchant, 'change.expire', i.id, i.expires_at);
  INSERT INTO stored_answer AS s (merchant_id, agent_id, key, request_hash, status, body, at) VALUES (p_merchant, i.agent_id, i.key, i.request_hash, 201, i.body, l.now)
    ON CONFLICT (merchant_id, agent_id, key) DO UPDATE SET request_hash = excluded.request_hash, status = 201, body = excluded.body, at = excluded.at, keep_until = NULL;
  PERFORM ledger_append(p_merchant, i.entry);
  outcome := 'staged'; status := 201; body := i.body;
END $$;
