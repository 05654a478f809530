-- Undersigned: tables, the log, the lifecycle and money, the hot verb, grants. PostgreSQL 15 or newer.
--
-- The lock rule: a transaction that appends takes its merchant's head row first (ledger_lock), then reads facts, then
-- writes, and appends as it goes. One lock per merchant, so there is no lock order to get wrong. A transaction that never
-- appends never takes it.
--
-- The application logs in as undersigned_app, which owns nothing; triggers that write sums, heads and entries are SECURITY
-- DEFINER, and the columns they write are not granted. Whoever cannot disable a trigger cannot pass it.
--
-- SQLSTATEs: CS001 append-only · CS003 illegal transition · CS004 immutable member · CS005 move without entry
--            CS006 entry disagrees with its change · CS007 unknown log · CS008 not an entry · CS009 money without its change
--            CS010 a decision that may not be

-- The one clock. Tests replace it in their own database.
CREATE FUNCTION ledger_clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$ SELECT date_trunc('milliseconds', clock_timestamp()) $$;

-- ───────────────────────────────────────────────────────────── merchants and people
CREATE TABLE merchant (
  id         text PRIMARY KEY CHECK (id ~ '^mer-[A-Za-z0-9_-]{10}$'),
  slug       text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9-]{1,40}$'),
  name       text NOT NULL,
  time_zone  text NOT NULL,
  created_at timestamptz(3) NOT NULL
);

CREATE TABLE person (
  id            text PRIMARY KEY,
  email         text NOT NULL UNIQUE CHECK (email = lower(email)),
  name          text NOT NULL,
  password_hash text,
  created_at    timestamptz(3) NOT NULL
);

CREATE TABLE member (
  merchant_id text NOT NULL REFERENCES merchant (id),
  person_id   text NOT NULL REFERENCES person (id),
  id          text NOT NULL,
  role        text NOT NULL CHECK (role IN ('admin','operator','auditor')),
  removed_at  timestamptz(3),
  PRIMARY KEY (merchant_id, person_id)
);
CREATE INDEX member_person ON member (person_id);

-- A person's sign-in. The token in the cookie names it; every decision reads it here.
CREATE TABLE sign_in (
  merchant_id text NOT NULL,
  id          text NOT NULL,
  person_id   text NOT NULL,
  created_at  timestamptz(3) NOT NULL,
  expires_at  timestamptz(3) NOT NULL,
  ended_at    timestamptz(3),
  PRIMARY KEY (merchant_id, id),
  FOREIGN KEY (merchant_id, person_id) REFERENCES member (merchant_id, person_id)
);

-- ───────────────────────────────────────────────────────────── agents
CREATE TABLE agent (
  merchant_id text NOT NULL REFERENCES merchant (id),
  id          text NOT NULL,
  name        text NOT NULL,
  created_at  timestamptz(3) NOT NULL,
  PRIMARY KEY (merchant_id, id)
);

CREATE TABLE agent_key (
  merchant_id text NOT NULL,
  id          text NOT NULL,
  agent_id    text NOT NULL,
  owner_id    text NOT NULL,
  made_by     text NOT NULL,                      -- or rotated it last
  persons     text[] NOT NULL,                    -- everyone who has owned, made or rotated it: none may approve what it stages (I6)
  secret_hash text NOT NULL UNIQUE,
  scopes      text[] NOT NULL,
  created_at  timestamptz(3) NOT NULL,
  expires_at  timestamptz(3) NOT NULL,
  revoked_at  timestamptz(3),
  PRIMARY KEY (merchant_id, id),
  FOREIGN KEY (merchant_id, agent_id) REFERENCES agent (merchant_id, id)
);

CREATE TABLE agent_session (
  merchant_id text NOT NULL,
  id          text NOT NULL,
  agent_id    text NOT NULL,
  key_id      text NOT NULL,
  created_at  timestamptz(3) NOT NULL,
  expires_at  timestamptz(3) NOT NULL,
  ended_at    timestamptz(3),
  PRIMARY KEY (merchant_id, id),
  FOREIGN KEY (merchant_id, agent_id) REFERENCES agent (merchant_id, id)
);

-- What a session has read. `whole`: the answer showed the order's lines, not only the order.
CREATE TABLE provenance (
  merchant_id text NOT NULL,
  session_id  text NOT NULL,
  subject_id  text NOT NULL,
  whole       boolean NOT NULL,
  PRIMARY KEY (merchant_id, session_id, subject_id),
  FOREIGN KEY (merchant_id, session_id) REFERENCES agent_session (merchant_id, id)
);

-- Requests and logged refusals by key and calendar minute (UTC).
CREATE UNLOGGED TABLE request_minute (
  merchant_id text NOT NULL, key_id text NOT NULL, minute timestamptz(0) NOT NULL, requests int NOT NULL,
  PRIMARY KEY (merchant_id, key_id, minute)
) WITH (fillfactor = 50);
CREATE TABLE refusal_minute (
  merchant_id text NOT NULL, key_id text NOT NULL, minute timestamptz(0) NOT NULL, subject text NOT NULL,
  refusals int NOT NULL, closed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (merchant_id, key_id, minute)
) WITH (fillfactor = 50);
CREATE INDEX refusal_minute_open ON refusal_minute (minute) WHERE refusals > 60 AND NOT closed;

-- ───────────────────────────────────────────────────────────── the log (I2)
-- One row per log: the only serial point of a merchant. Room on the page, so that its updates stay HOT.
CREATE TABLE head (
  merchant_id    text PRIMARY KEY REFERENCES merchant (id),
  next_seq       bigint NOT NULL,
  at             timestamptz(3) NOT NULL,
  leaf           text NOT NULL CHECK (leaf ~ '^[0-9a-f]{64}$'),
  policy_version int NOT NULL,
  paused         boolean NOT NULL
) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

CREATE FUNCTION entry_member(entry text, member text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (entry::json) ->> member;

-- The state that an entry leaves its change in; null for an entry that moves nothing.
CREATE FUNCTION entry_state(type text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE WHEN type IN ('change.staged','change.endorsed','change.retracted') THEN 'staged'
       WHEN type IN ('change.approved','change.scheduled') THEN 'approved'
       WHEN type IN ('change.applying','change.applied','change.failed','change.rejected','change.withdrawn','change.expired') THEN substr(type, 8) END;

-- `entry` holds the exact bytes that are hashed and served: text, never jsonb.
CREATE TABLE entry (
  merchant_id       text NOT NULL,
  seq               bigint NOT NULL,
  at                timestamptz(3) NOT NULL,
  entry             text NOT NULL,
  leaf_hash         text NOT NULL,
  type              text NOT NULL GENERATED ALWAYS AS (entry_member(entry, 'type')) STORED,
  subject           text NOT NULL GENERATED ALWAYS AS (entry_member(entry, 'subject')) STORED,
  revision          int GENERATED ALWAYS AS (entry_member(entry, 'revision')::int) STORED,
  previous_revision int GENERATED ALWAYS AS (nullif(entry_member(entry, 'revision')::int - 1, 0)) STORED,
  digest            text GENERATED ALWAYS AS (entry_member(entry, 'digest')) STORED,
  state             text GENERATED ALWAYS AS (entry_state(entry_member(entry, 'type'))) STORED,
  PRIMARY KEY (merchant_id, seq),
  CONSTRAINT entry_revision UNIQUE (merchant_id, subject, revision),
  CONSTRAINT entry_change UNIQUE (merchant_id, subject, revision, state, digest),
  CONSTRAINT entry_previous FOREIGN KEY (merchant_id, subject, previous_revision) REFERENCES entry (merchant_id, subject, revision)
);

CREATE FUNCTION entry_text(merchant text, seq bigint, at timestamptz, prev text, actor text, data text, digest text, revision int, subject text, type text)
RETURNS text LANGUAGE sql STABLE PARALLEL SAFE RETURN
  '{"actor":' || actor || ',"at":"' || to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","data":' || data
  || coalesce(',"digest":"' || digest || '"', '') || ',"log":"undersigned/' || merchant || '","prev":"' || prev || '"'
  || coalesce(',"revision":' || revision, '') || ',"seq":' || seq || ',"subject":"' || subject || '","type":"' || type || '","v":1}';

-- ───────────────────────────────────────────────────────────── policy, texts
CREATE TABLE policy (
  merchant_id  text NOT NULL REFERENCES merchant (id),
  version      int NOT NULL,
  rules        text NOT NULL,
  published_at timestamptz(3) NOT NULL,
  PRIMARY KEY (merchant_id, version)
);

-- A person's words, salted; entries carry only the digest.
CREATE TABLE digested_text (
  merchant_id text NOT NULL REFERENCES merchant (id),
  digest      text NOT NULL,
  subject     text NOT NULL,
  text        text NOT NULL CHECK (digest = encode(sha256(convert_to(text, 'UTF8')), 'hex')),
  PRIMARY KEY (merchant_id, digest)
);
CREATE INDEX digested_text_subject ON digested_text (subject);

-- ───────────────────────────────────────────────────────────── the built-in store
CREATE TABLE customer (
  merchant_id text NOT NULL REFERENCES merchant (id),
  id          text NOT NULL,
  number      text NOT NULL,
  name        text NOT NULL,
  country     text,
  PRIMARY KEY (merchant_id, id),
  UNIQUE (merchant_id, number)
);

CREATE TABLE shop_order (
  merchant_id             text NOT NULL REFERENCES merchant (id),
  id                      text NOT NULL,
  number                  text NOT NULL,
  customer_id             text,
  currency                text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  placed_at               timestamptz(3) NOT NULL,
  shipping_minor          bigint NOT NULL CHECK (shipping_minor >= 0),
  shipping_refunded_minor bigint NOT NULL DEFAULT 0,
  shipping_held_minor     bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant_id, id),
  UNIQUE (merchant_id, number),
  FOREIGN KEY (merchant_id, customer_id) REFERENCES customer (merchant_id, id),
  CONSTRAINT shipping_not_over_refunded CHECK (shipping_refunded_minor >= 0 AND shipping_held_minor >= 0 AND shipping_refunded_minor + shipping_held_minor <= shipping_minor)
);
CREATE INDEX shop_order_newest ON shop_order (merchant_id, placed_at DESC, id DESC);
CREATE INDEX shop_order_customer ON shop_order (customer_id);

CREATE TABLE order_line (
  merchant_id       text NOT NULL,
  id                text NOT NULL,
  order_id          text NOT NULL,
  position          int NOT NULL,
  sku               text NOT NULL,
  title             text NOT NULL,
  quantity          int NOT NULL CHECK (quantity > 0),
  paid_minor        bigint NOT NULL CHECK (paid_minor >= 0),
  refunded_minor    bigint NOT NULL DEFAULT 0,
  held_minor        bigint NOT NULL DEFAULT 0,
  refunded_quantity int NOT NULL DEFAULT 0,
  held_quantity     int NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant_id, id),
  FOREIGN KEY (merchant_id, order_id) REFERENCES shop_order (merchant_id, id),
  CONSTRAINT line_not_over_refunded CHECK (refunded_minor >= 0 AND held_minor >= 0 AND refunded_minor + held_minor <= paid_minor
    AND refunded_quantity >= 0 AND held_quantity >= 0 AND refunded_quantity + held_quantity <= quantity)
);
CREATE UNIQUE INDEX order_line_position ON order_line (order_id, position);

CREATE TABLE payment (
  merchant_id    text NOT NULL,
  id             text NOT NULL,
  order_id       text NOT NULL,
  currency       text NOT NULL,
  paid_at        timestamptz(3) NOT NULL,
  captured_minor bigint NOT NULL,
  disputed_minor bigint NOT NULL DEFAULT 0 CHECK (disputed_minor >= 0),
  refunded_minor bigint NOT NULL DEFAULT 0,
  held_minor     bigint NOT NULL DEFAULT 0,
  staged_minor   bigint NOT NULL DEFAULT 0 CHECK (staged_minor >= 0),
  PRIMARY KEY (merchant_id, id),
  FOREIGN KEY (merchant_id, order_id) REFERENCES shop_order (merchant_id, id),
  CONSTRAINT payment_not_over_refunded CHECK (refunded_minor >= 0 AND held_minor >= 0 AND refunded_minor + held_minor <= captured_minor)   -- I4
) WITH (fillfactor = 70);
ALTER TABLE payment ADD CONSTRAINT payment_order UNIQUE (order_id, merchant_id);

-- One row per imported source: dates are moved once, by this many days.
CREATE TABLE import_run (
  merchant_id text NOT NULL REFERENCES merchant (id),
  source      text NOT NULL,
  shift_days  int NOT NULL,
  at          timestamptz(3) NOT NULL,
  PRIMARY KEY (merchant_id, source)
);

-- ───────────────────────────────────────────────────────────── changes
CREATE TABLE change (
  merchant_id  text NOT NULL,
  id           text NOT NULL,
  revision     int NOT NULL,
  state        text NOT NULL CHECK (state IN ('staged','approved','applying','applied','failed','rejected','withdrawn','expired')),
  kind         text NOT NULL CHECK (kind = 'refund'),
  digest       text NOT NULL,
  agent_id     text,
  key_id       text,
  session_id   text,
  staged_by    text,                              -- a person, where no agent staged it
  order_id     text NOT NULL,
  payment_id   text NOT NULL,
  currency     text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  reason       text NOT NULL,
  required     smallint NOT NULL CHECK (required >= 1),
  policy       int NOT NULL,
  excludes     text[] NOT NULL,                   -- persons who may not approve (I6)
  supersedes   text,
  staged_at    timestamptz(3) NOT NULL,
  staged_seq   bigint NOT NULL,                   -- the seq of its change.staged: pages walk it, in commit order
  expires_at   timestamptz(3) NOT NULL,
  effective_at timestamptz(3),                    -- when an approval takes effect
  PRIMARY KEY (merchant_id, id),
  -- I1, checked at COMMIT
  CONSTRAINT change_has_entry FOREIGN KEY (merchant_id, id, revision, state, digest)
    REFERENCES entry (merchant_id, subject, revision, state, digest) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT change_order FOREIGN KEY (merchant_id, order_id) REFERENCES shop_order (merchant_id, id),
  CONSTRAINT change_payment FOREIGN KEY (merchant_id, payment_id) REFERENCES payment (merchant_id, id),
  CONSTRAINT change_supersedes FOREIGN KEY (merchant_id, supersedes) REFERENCES change (merchant_id, id)
) WITH (fillfactor = 80);
-- Partial on purpose: a plan cached while the table is empty would prefer a whole index over the primary key. Queries name
-- the state as a literal.
CREATE INDEX change_queue     ON change (merchant_id, staged_seq DESC) WHERE state = 'staged';
CREATE INDEX change_attention ON change (merchant_id, staged_seq DESC) WHERE state IN ('failed','applying');
CREATE INDEX change_expired   ON change (merchant_id, staged_seq DESC) WHERE state = 'expired';
CREATE INDEX change_approved  ON change (merchant_id, effective_at) WHERE state = 'approved';
CREATE INDEX change_decided   ON change (merchant_id, staged_seq DESC) WHERE state <> 'staged';
CREATE INDEX change_agent     ON change (merchant_id, agent_id, staged_seq DESC) WHERE agent_id IS NOT NULL;
CREATE INDEX change_of_order  ON change (order_id);
CREATE UNIQUE INDEX change_superseded_once ON change (merchant_id, supersedes) WHERE supersedes IS NOT NULL;

-- Apart from `change`, so that a move rewrites a small row; erased by deleting the row.
CREATE TABLE change_content (
  merchant_id text NOT NULL,
  change_id   text NOT NULL,
  content     text NOT NULL,
  PRIMARY KEY (merchant_id, change_id),
  FOREIGN KEY (merchant_id, change_id) REFERENCES change (merchant_id, id)
);
CREATE TABLE change_verdict (
  merchant_id text NOT NULL,
  change_id   text NOT NULL,
  verdict     text NOT NULL,
  PRIMARY KEY (merchant_id, change_id),
  FOREIGN KEY (merchant_id, change_id) REFERENCES change (merchant_id, id)
);

CREATE TABLE decision (
  merchant_id       text NOT NULL,
  change_id         text NOT NULL,
  revision          int NOT NULL,
  person_id         text NOT NULL,
  kind              text NOT NULL CHECK (kind IN ('endorse','approve','reject','retract')),
  seen_digest       text NOT NULL,
  seen_facts_digest text,
  text_digest       text,
  at                timestamptz(3) NOT NULL,
  PRIMARY KEY (merchant_id, change_id, revision),
  FOREIGN KEY (merchant_id, change_id) REFERENCES change (merchant_id, id),
  CONSTRAINT decision_has_entry FOREIGN KEY (merchant_id, change_id, revision) REFERENCES entry (merchant_id, subject, revision) DEFERRABLE INITIALLY DEFERRED
);

-- Where a merchant's money really moves. No row: the built-in store.
CREATE TABLE platform_account (
  merchant_id text PRIMARY KEY REFERENCES merchant (id),
  platform    text NOT NULL CHECK (platform = 'http'),
  url         text NOT NULL,
  secret      text NOT NULL
);

-- One item of a change on its way to the platform: at most one row per item, done at most once (I7). `done` moves the sums.
CREATE TABLE platform_write (
  merchant_id  text NOT NULL,
  change_id    text NOT NULL,
  item         int NOT NULL,                      -- its place in the content's items, from 0
  revision     int NOT NULL,                      -- of the change.applying that sends it
  amount_minor bigint NOT NULL CHECK (amount_minor >= 0),
  state        text NOT NULL CHECK (state IN ('sending','done','refused')),
  sent_at      timestamptz(3) NOT NULL,           -- first sent under this revision
  tries        int NOT NULL DEFAULT 1,
  done_at      timestamptz(3),
  reference    text CHECK ((state = 'done') = (reference IS NOT NULL AND done_at IS NOT NULL)),
  PRIMARY KEY (merchant_id, change_id, item),
  FOREIGN KEY (merchant_id, change_id) REFERENCES change (merchant_id, id),
  CONSTRAINT platform_write_has_entry FOREIGN KEY (merchant_id, change_id, revision) REFERENCES entry (merchant_id, subject, revision) DEFERRABLE INITIALLY DEFERRED
);

-- Who is sending a change's items now; a lease, so that a driver that died is followed by another.
CREATE TABLE apply_lease (
  merchant_id text NOT NULL, change_id text NOT NULL, holder text NOT NULL, until timestamptz(3) NOT NULL,
  PRIMARY KEY (merchant_id, change_id),
  FOREIGN KEY (merchant_id, change_id) REFERENCES change (merchant_id, id)
);

-- The built-in store's own record of what it paid out: at most one refund per item of a change.
CREATE TABLE store_refund (
  merchant_id  text NOT NULL,
  id           text NOT NULL,
  change_id    text NOT NULL,
  item         int NOT NULL,
  revision     int NOT NULL,                      -- of its change.applying
  order_id     text NOT NULL,
  payment_id   text NOT NULL,
  currency     text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor >= 0),
  at           timestamptz(3) NOT NULL,
  PRIMARY KEY (merchant_id, id),
  UNIQUE (merchant_id, change_id, item),
  FOREIGN KEY (merchant_id, change_id) REFERENCES change (merchant_id, id),
  FOREIGN KEY (merchant_id, payment_id) REFERENCES payment (merchant_id, id),
  CONSTRAINT store_refund_has_entry FOREIGN KEY (merchant_id, change_id, revision) REFERENCES entry (merchant_id, subject, revision) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX store_refund_order ON store_refund (order_id);

-- What must happen later, written with what caused it.
CREATE TABLE outbox (
  merchant_id text NOT NULL REFERENCES merchant (id),
  id          bigint GENERATED ALWAYS AS IDENTITY,
  type        text NOT NULL,
  subject     text NOT NULL,
  due_at      timestamptz(3) NOT NULL,
  attempts    int NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant_id, id)
);
CREATE INDEX outbox_due ON outbox (due_at);

-- Answers kept for an Idempotency-Key: 201 for ever (keep_until null), logged refusals for a day.
CREATE TABLE stored_answer (
  merchant_id  text NOT NULL,
  agent_id     text NOT NULL,
  key          text NOT NULL,
  request_hash text NOT NULL,
  status       int NOT NULL,
  body         text NOT NULL,
  at           timestamptz(3) NOT NULL,
  keep_until   timestamptz(3),
  PRIMARY KEY (merchant_id, agent_id, key)
);

CREATE TABLE fsck_run (
  merchant_id text NOT NULL REFERENCES merchant (id),
  at          timestamptz(3) NOT NULL,
  entries     bigint NOT NULL,
  findings    int NOT NULL,
  PRIMARY KEY (merchant_id, at)
);

-- ───────────────────────────────────────────────────────────── triggers of the log
-- Whoever inserts brings in `entry` one JSON object with actor, data, subject, type and, for a move, revision and digest,
-- actor and data in canonical form. Everything else is made here, under the head's row lock.
CREATE FUNCTION entry_make() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  d json; actor text; data text; type text; subject text; digest text; revision int; moves boolean; h record; c record;
  now timestamptz := public.ledger_clock();
BEGIN
  BEGIN
    d := NEW.entry::json; actor := (d -> 'actor')::text; data := (d -> 'data')::text;
    type := d ->> 'type'; subject := d ->> 'subject'; digest := d ->> 'digest'; revision := (d ->> 'revision')::int;
  EXCEPTION WHEN data_exception THEN RAISE 'not an entry' USING ERRCODE = 'CS008'; END;
  moves := public.entry_state(type) IS NOT NULL;
  IF json_typeof(d -> 'actor') IS DISTINCT FROM 'object' OR json_typeof(d -> 'data') IS DISTINCT FROM 'object'
     OR type IS NULL OR type !~ '^[a-z]+\.[a-z_]+$' OR subject IS NULL OR subject !~ '^[A-Za-z0-9_-]{1,64}$'
     OR moves <> (revision IS NOT NULL) OR moves <> (digest IS NOT NULL) OR revision < 1 OR digest !~ '^[0-9a-f]{64}$' THEN
    RAISE 'not an entry: % % % %', type, subject, revision, digest USING ERRCODE = 'CS008'; END IF;
  -- One statement takes the lock, reads and moves the head: after a wait PostgreSQL evaluates it again on the row as committed.
  UPDATE public.head x SET
    next_seq = x.next_seq + 1,
    at = greatest(x.at, now),
    leaf = encode(sha256('\x00'::bytea || convert_to(public.entry_text(x.merchant_id, x.next_seq, greatest(x.at, now), x.leaf, actor, data, digest, revision, subject, type), 'UTF8')), 'hex'),
    policy_version = CASE type WHEN 'policy.published' THEN (d -> 'data' ->> 'version')::int ELSE x.policy_version END,
    paused = CASE type WHEN 'merchant.paused' THEN true WHEN 'merchant.resumed' THEN false ELSE x.paused END
  FROM (SELECT y.merchant_id, y.leaf AS prev, y.policy_version AS was FROM public.head y WHERE y.merchant_id = NEW.merchant_id FOR UPDATE) o
  WHERE x.merchant_id = o.merchant_id
  RETURNING x.next_seq - 1 AS seq, x.at, o.prev, o.was, x.leaf, x.policy_version INTO h;
  IF NOT FOUND THEN RAISE 'no log %', NEW.merchant_id USING ERRCODE = 'CS007'; END IF;
  IF type = 'policy.published' AND h.policy_version IS DISTINCT FROM h.was + 1 THEN RAISE 'policy versions follow each other' USING ERRCODE = 'CS008'; END IF;
  IF (type = 'log.opened') <> (h.seq = 0) THEN RAISE 'a log begins with log.opened, once' USING ERRCODE = 'CS008'; END IF;
  NEW.seq := h.seq; NEW.at := h.at; NEW.leaf_hash := h.leaf;
  NEW.entry := public.entry_text(NEW.merchant_id, h.seq, h.at, h.prev, actor, data, digest, revision, subject, type);
  IF octet_length(NEW.entry) > 60000 THEN RAISE 'entry over 60,000 bytes' USING ERRCODE = 'CS008'; END IF;
  IF moves THEN      -- an entry says what the row says, at this moment: no wrong entry slips between two moves
    SELECT x.revision, x.state, x.digest INTO c FROM public.change x WHERE x.merchant_id = NEW.merchant_id AND x.id = subject;
    IF c.revision IS DISTINCT FROM revision OR c.digest IS DISTINCT FROM digest OR c.state IS DISTINCT FROM public.entry_state(type) THEN
      RAISE 'entry % of % at revision % does not describe the change', type, subject, revision USING ERRCODE = 'CS006'; END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER entry_make BEFORE INSERT ON entry FOR EACH ROW EXECUTE FUNCTION entry_make();

CREATE FUNCTION entry_moved() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$ BEGIN
  IF NEW.revision IS NOT NULL AND NOT EXISTS (SELECT FROM public.change x WHERE x.merchant_id = NEW.merchant_id AND x.id = NEW.subject AND x.revision >= NEW.revision) THEN
    RAISE 'entry % of % without a move', NEW.type, NEW.subject USING ERRCODE = 'CS006'; END IF;
  IF NEW.type IN ('change.endorsed','change.approved','change.rejected','change.retracted') AND NOT EXISTS (
       SELECT FROM public.decision d WHERE d.merchant_id = NEW.merchant_id AND d.change_id = NEW.subject AND d.revision = NEW.revision
          AND d.person_id = public.entry_member(NEW.entry, 'actor')::json ->> 'id' AND 'change.' || CASE d.kind WHEN 'endorse' THEN 'endorsed' WHEN 'approve' THEN 'approved' WHEN 'reject' THEN 'rejected' ELSE 'retracted' END = NEW.type) THEN
    RAISE 'entry % of % without its decision', NEW.type, NEW.subject USING ERRCODE = 'CS010'; END IF;
  RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER entry_moved AFTER INSERT ON entry DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION entry_moved();

CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE '% on % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'CS001'; END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entry          FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER no_delete   BEFORE DELETE OR TRUNCATE           ON head           FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER no_delete   BEFORE DELETE OR TRUNCATE           ON change         FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON decision       FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON store_refund   FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER no_delete   BEFORE DELETE OR TRUNCATE           ON platform_write FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON policy         FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER no_update   BEFORE UPDATE OR TRUNCATE           ON change_content FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER no_update   BEFORE UPDATE OR TRUNCATE           ON change_verdict FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER no_update   BEFORE UPDATE OR TRUNCATE           ON digested_text  FOR EACH STATEMENT EXECUTE FUNCTION refuse();

-- A log begins empty, whatever was given.
CREATE FUNCTION head_begin() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  NEW.next_seq := 0; NEW.at := '1970-01-01 00:00:00+00'; NEW.leaf := repeat('0', 64); NEW.policy_version := 0; NEW.paused := false;
  RETURN NEW; END $$;
CREATE TRIGGER head_begin BEFORE INSERT ON head FOR EACH ROW EXECUTE FUNCTION head_begin();

-- ───────────────────────────────────────────────────────────── money of a change (I4)
-- The change's items as rows, from the digested content: there is no second description of them.
CREATE FUNCTION change_items(p_merchant text, p_change text) RETURNS TABLE (item int, target text, field text, amount bigint, quantity int) LANGUAGE sql STABLE AS $$
  SELECT (x.n - 1)::int, x.i ->> 'target', x.i ->> 'field', (x.i ->> 'after')::bigint - (x.i ->> 'before')::bigint, (x.i ->> 'quantity')::int
    FROM public.change_content c, json_array_elements(c.content::json -> 'items') WITH ORDINALITY x (i, n) WHERE c.merchant_id = p_merchant AND c.change_id = p_change $$;

-- Moves what lines and shipping hold and have refunded: `p_held` and `p_refunded` times each of these items.
CREATE FUNCTION items_move(p_merchant text, p_change text, p_items int[], p_held int, p_refunded int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  UPDATE public.order_line l SET
    held_minor = l.held_minor + p_held * i.amount, held_quantity = l.held_quantity + p_held * i.quantity,
    refunded_minor = l.refunded_minor + p_refunded * i.amount, refunded_quantity = l.refunded_quantity + p_refunded * i.quantity
  FROM public.change_items(p_merchant, p_change) i
  WHERE l.merchant_id = p_merchant AND l.id = i.target AND i.field = 'refunded' AND i.item = ANY (p_items);
  UPDATE public.shop_order o SET
    shipping_held_minor = o.shipping_held_minor + p_held * i.amount, shipping_refunded_minor = o.shipping_refunded_minor + p_refunded * i.amount
  FROM public.change_items(p_merchant, p_change) i
  WHERE o.merchant_id = p_merchant AND o.id = i.target AND i.field = 'shipping' AND i.item = ANY (p_items);
END $$;

-- ───────────────────────────────────────────────────────────── the lifecycle (I1, I3, I4)
CREATE FUNCTION change_guard() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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
  -- The last signature is being written: the others must stand.
  IF OLD.state = 'staged' AND NEW.state = 'approved' AND (SELECT count(*) FROM public.standing_approvals(NEW.merchant_id, NEW.id)) + 1 < NEW.required THEN
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
CREATE TRIGGER change_guard BEFORE INSERT OR UPDATE ON change FOR EACH ROW EXECUTE FUNCTION change_guard();

-- An item is sent only while its change is applying, for its own amount; it is done once, and then its hold becomes refunded.
CREATE FUNCTION platform_write_guard() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE c record;
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.state = 'done' OR (NEW.merchant_id, NEW.change_id, NEW.item, NEW.amount_minor) IS DISTINCT FROM (OLD.merchant_id, OLD.change_id, OLD.item, OLD.amount_minor)) THEN
    RAISE 'item % of % is done, or another', OLD.item, OLD.change_id USING ERRCODE = 'CS009'; END IF;
  SELECT x.state, x.revision, x.payment_id, i.amount INTO c FROM public.change x, public.change_items(x.merchant_id, x.id) i
   WHERE x.merchant_id = NEW.merchant_id AND x.id = NEW.change_id AND i.item = NEW.item;
  IF c.state IS DISTINCT FROM 'applying' OR c.revision <> NEW.revision OR c.amount <> NEW.amount_minor THEN
    RAISE 'an item is sent while its change is applying, for its amount' USING ERRCODE = 'CS009'; END IF;
  IF NEW.state = 'done' THEN
    UPDATE public.payment SET refunded_minor = refunded_minor + NEW.amount_minor, held_minor = held_minor - NEW.amount_minor
     WHERE merchant_id = NEW.merchant_id AND id = c.payment_id;
    PERFORM public.items_move(NEW.merchant_id, NEW.change_id, ARRAY[NEW.item], -1, 1);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER platform_write_guard BEFORE INSERT OR UPDATE ON platform_write FOR EACH ROW EXECUTE FUNCTION platform_write_guard();

-- The store pays an item out only while it is being sent.
CREATE FUNCTION store_refund_guard() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$ BEGIN
  IF NOT EXISTS (SELECT FROM public.platform_write w JOIN public.change c ON c.merchant_id = w.merchant_id AND c.id = w.change_id
       WHERE w.merchant_id = NEW.merchant_id AND w.change_id = NEW.change_id AND w.item = NEW.item AND w.state = 'sending' AND w.revision = NEW.revision AND w.amount_minor = NEW.amount_minor
         AND c.payment_id = NEW.payment_id AND c.order_id = NEW.order_id AND c.currency = NEW.currency) THEN
    RAISE 'a refund is of an item that is being sent' USING ERRCODE = 'CS009'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER store_refund_guard BEFORE INSERT ON store_refund FOR EACH ROW EXECUTE FUNCTION store_refund_guard();

CREATE FUNCTION change_content_guard() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$ BEGIN
  IF NOT EXISTS (SELECT FROM public.change c WHERE c.merchant_id = NEW.merchant_id AND c.id = NEW.change_id
       AND c.digest = encode(sha256(convert_to(NEW.content, 'UTF8')), 'hex')) THEN
    RAISE 'content does not have the digest of %', NEW.change_id USING ERRCODE = 'CS004'; END IF;
  RETURN NEW; END $$;
CREATE TRIGGER change_content_guard BEFORE INSERT ON change_content FOR EACH ROW EXECUTE FUNCTION change_content_guard();

-- Those whose approval stands: the last of their endorse/approve/retract is not a retract.
CREATE FUNCTION standing_approvals(p_merchant text, p_change text) RETURNS TABLE (person_id text, revision int, at timestamptz) LANGUAGE sql STABLE AS $$
  SELECT x.person_id, x.revision, x.at FROM (
    SELECT DISTINCT ON (d.person_id) d.person_id, d.revision, d.at, d.kind FROM public.decision d
     WHERE d.merchant_id = p_merchant AND d.change_id = p_change AND d.kind <> 'reject' ORDER BY d.person_id, d.revision DESC) x
  WHERE x.kind <> 'retract' ORDER BY x.revision $$;

CREATE FUNCTION decision_guard() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE c record; stands boolean := EXISTS (SELECT FROM public.standing_approvals(NEW.merchant_id, NEW.change_id) s WHERE s.person_id = NEW.person_id);
BEGIN
  SELECT x.digest, x.excludes INTO c FROM public.change x WHERE x.merchant_id = NEW.merchant_id AND x.id = NEW.change_id;
  IF NEW.kind IN ('endorse','approve') AND (stands OR NEW.person_id = ANY (c.excludes)) OR NEW.kind = 'retract' AND NOT stands
     OR c.digest IS DISTINCT FROM NEW.seen_digest THEN
    RAISE 'a decision that may not be: % by % on %', NEW.kind, NEW.person_id, NEW.change_id USING ERRCODE = 'CS010'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER decision_guard BEFORE INSERT ON decision FOR EACH ROW EXECUTE FUNCTION decision_guard();

-- What may only go one way, whoever writes: a key's persons grow, a sign-in ends once.
CREATE FUNCTION agent_key_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NOT NEW.persons @> OLD.persons OR NOT NEW.persons @> ARRAY[NEW.owner_id, NEW.made_by] OR OLD.revoked_at IS NOT NULL THEN
    RAISE 'a key keeps its persons, and stays revoked' USING ERRCODE = 'CS010'; END IF;
  RETURN NEW; END $$;
CREATE TRIGGER agent_key_guard BEFORE UPDATE ON agent_key FOR EACH ROW EXECUTE FUNCTION agent_key_guard();
CREATE FUNCTION ended_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF OLD.ended_at IS NOT NULL AND NEW.ended_at IS DISTINCT FROM OLD.ended_at THEN RAISE 'what has ended does not begin again' USING ERRCODE = 'CS010'; END IF;
  RETURN NEW; END $$;
CREATE TRIGGER ended_guard BEFORE UPDATE ON sign_in FOR EACH ROW EXECUTE FUNCTION ended_guard();
CREATE TRIGGER ended_guard BEFORE UPDATE ON agent_session FOR EACH ROW EXECUTE FUNCTION ended_guard();

-- ───────────────────────────────────────────────────────────── verbs
-- The order's refunds that count towards a quorum beside one change: paid out since a time, held, or staged before it.
CREATE FUNCTION order_refunds(p_merchant text, p_order text, p_but text, p_before bigint, p_since timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(CASE WHEN c.state IN ('approved','applying') THEN c.amount_minor
                           WHEN c.state = 'staged' THEN CASE WHEN p_before IS NULL OR c.staged_seq < p_before THEN c.amount_minor END
                           ELSE (SELECT sum(w.amount_minor) FROM platform_write w WHERE w.merchant_id = c.merchant_id AND w.change_id = c.id AND w.state = 'done' AND w.done_at > p_since) END), 0)::bigint
    FROM change c WHERE c.order_id = p_order AND c.merchant_id = p_merchant AND c.id IS DISTINCT FROM p_but $$;

-- First statement of every transaction that will append.
CREATE FUNCTION ledger_lock(p_merchant text, OUT next_seq bigint, OUT now timestamptz, OUT clock timestamptz, OUT policy_version int, OUT paused boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$ BEGIN
  SELECT h.next_seq, h.at, h.policy_version, h.paused INTO next_seq, now, policy_version, paused FROM public.head h WHERE h.merchant_id = p_merchant FOR UPDATE;
  IF next_seq IS NULL THEN RAISE 'no log %', p_merchant USING ERRCODE = 'CS007'; END IF;
  clock := public.ledger_clock();       -- read after the wait
  now := greatest(now, clock);
END $$;

CREATE FUNCTION ledger_append(p_merchant text, p_entry text, OUT seq bigint, OUT at timestamptz, OUT leaf_hash text) LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO entry AS e (merchant_id, entry) VALUES (p_merchant, p_entry) RETURNING e.seq, e.at, e.leaf_hash INTO seq, at, leaf_hash;
END $$;

-- The only writer of `state`: the row and its entry together. No row: someone else moved it.
CREATE FUNCTION change_advance(p_merchant text, p_change text, p_revision int, p_to text, p_effective_at timestamptz, p_entry text, OUT seq bigint, OUT at timestamptz, OUT leaf_hash text)
LANGUAGE plpgsql AS $$ BEGIN
  UPDATE change SET state = p_to, revision = p_revision + 1, effective_at = p_effective_at WHERE merchant_id = p_merchant AND id = p_change AND revision = p_revision;
  IF NOT FOUND THEN RAISE 'change % is not at revision %', p_change, p_revision USING ERRCODE = 'CS003'; END IF;
  SELECT a.seq, a.at, a.leaf_hash INTO seq, at, leaf_hash FROM ledger_append(p_merchant, p_entry) a;
END $$;

-- Begins an agent's write: one at a time per Idempotency-Key, then per session. 'go', or why not.
CREATE FUNCTION agent_write_begin(p_merchant text, p_agent text, p_session text, p_key text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE s record;
BEGIN
  IF p_key IS NOT NULL THEN
    BEGIN PERFORM pg_advisory_xact_lock(hashtextextended(p_merchant || ' ' || p_agent || ' ' || p_key, 0));
    EXCEPTION WHEN lock_not_available THEN RETURN 'idempotency_in_progress'; END;
  END IF;
  IF p_session IS NULL THEN RETURN 'go'; END IF;
  PERFORM 1 FROM agent_session x WHERE x.merchant_id = p_merchant AND x.id = p_session FOR NO KEY UPDATE SKIP LOCKED;
  RETURN CASE WHEN FOUND THEN 'go' ELSE 'session_busy' END;
END $$;

-- What a write is checked against before it begins, in one round trip: the answer kept for its key, and whether its session is open.
CREATE FUNCTION agent_write_check(p_merchant text, p_agent text, p_session text, p_key text, OUT request_hash text, OUT status int, OUT body text, OUT session_open boolean) LANGUAGE plpgsql AS $$
DECLARE now timestamptz := ledger_clock();
BEGIN
  PERFORM set_config('undersigned.merchant', p_merchant, true);
  SELECT a.request_hash, a.status, a.body INTO request_hash, status, body FROM stored_answer a
   WHERE a.merchant_id = p_merchant AND a.agent_id = p_agent AND a.key = p_key AND (a.keep_until IS NULL OR a.keep_until > now);
  session_open := EXISTS (SELECT FROM agent_session s WHERE s.merchant_id = p_merchant AND s.id = p_session AND s.agent_id = p_agent AND s.ended_at IS NULL AND s.expires_at > now);
END $$;

-- What staging a refund is judged on, in one round trip. Amounts as text: a number in JSON would pass through a float.
CREATE FUNCTION stage_facts(p_merchant text, p_session text, p_key_id text, p_order text, p_since timestamptz) RETURNS json LANGUAGE plpgsql AS $$ BEGIN
  PERFORM set_config('undersigned.merchant', p_merchant, true);
  RETURN (SELECT json_build_object(
    'policyVersion', h.policy_version, 'paused', h.paused,
    'read', (SELECT r.whole FROM provenance r WHERE r.merchant_id = p_merchant AND r.session_id = p_session AND r.subject_id = p_order),
    'excludes', (SELECT k.persons FROM agent_key k WHERE k.merchant_id = p_merchant AND k.id = p_key_id AND k.revoked_at IS NULL AND k.expires_at > ledger_clock()),
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

-- A refusal's trace, limited to 60 a calendar minute per key; the worker closes such a minute with one entry.
CREATE FUNCTION refusal_append(p_merchant text, p_subject text, p_key text, p_entry text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE n int; s bigint;
BEGIN
  INSERT INTO refusal_minute AS r (merchant_id, key_id, minute, subject, refusals) VALUES (p_merchant, p_key, date_trunc('minute', ledger_clock(), 'UTC'), p_subject, 1)
    ON CONFLICT (merchant_id, key_id, minute) DO UPDATE SET refusals = r.refusals + 1 RETURNING r.refusals INTO n;
  IF n > 60 THEN RETURN NULL; END IF;
  SELECT a.seq INTO s FROM ledger_append(p_merchant, p_entry) a;
  RETURN s;
END $$;

-- stage, the hot verb: judged outside on the payment as it was seen, written here if that still holds.
CREATE TYPE stage_item AS (
  session_id text, agent_id text, key text, request_hash text, id text, content text, digest text, verdict text, entry text, body text, key_id text, order_id text, payment_id text,
  currency text, amount_minor bigint, reason text, required int, policy int, excludes text[], supersedes text, staged_at timestamptz, expires_at timestamptz, seen bigint[]);

CREATE FUNCTION stage_write(p_merchant text, i stage_item, OUT outcome text, OUT status int, OUT body text) LANGUAGE plpgsql AS $$
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
     OR NOT EXISTS (SELECT FROM agent_key k WHERE k.merchant_id = p_merchant AND k.id = i.key_id AND k.revoked_at IS NULL AND k.expires_at > l.clock AND k.persons = i.excludes) THEN
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

-- One call, one commit.
CREATE FUNCTION stage_change(p_merchant text, i stage_item, OUT outcome text, OUT status int, OUT body text) LANGUAGE plpgsql AS $$ BEGIN
  PERFORM set_config('undersigned.merchant', p_merchant, true);
  outcome := agent_write_begin(p_merchant, i.agent_id, i.session_id, i.key);
  IF outcome = 'go' THEN SELECT w.outcome, w.status, w.body INTO outcome, status, body FROM stage_write(p_merchant, i) w; END IF;
END $$;

-- Many waiting calls of one merchant in one commit, a savepoint each: a fault undoes its own call only, and each is answered after the commit.
-- No call waits here for another's key while the log is locked: such a one is told to go alone. At most 60: a backend caches 64 subtransactions.
CREATE FUNCTION stage_changes(p_merchant text, p_items jsonb) RETURNS TABLE (n int, outcome text, status int, body text) LANGUAGE plpgsql AS $$
DECLARE its stage_item[]; i stage_item; begun text[] := '{}'; sessions text[] := '{}';
BEGIN
  PERFORM set_config('undersigned.merchant', p_merchant, true);
  its := ARRAY(SELECT x FROM jsonb_populate_recordset(NULL::stage_item, p_items) x);
  IF cardinality(its) > 60 THEN RAISE 'at most 60 calls in one commit'; END IF;
  FOREACH i IN ARRAY its LOOP      -- keys and sessions first, then the log: the order of every writer
    begun := begun || CASE WHEN NOT pg_try_advisory_xact_lock(hashtextextended(p_merchant || ' ' || i.agent_id || ' ' || i.key, 0)) THEN 'alone'
                           WHEN i.session_id = ANY (sessions) THEN 'session_busy'
                           ELSE agent_write_begin(p_merchant, i.agent_id, i.session_id, NULL) END;
    sessions := sessions || i.session_id;
  END LOOP;
  PERFORM ledger_lock(p_merchant);
  FOR n IN 0 .. cardinality(its) - 1 LOOP
    i := its[n + 1]; outcome := begun[n + 1]; status := NULL; body := NULL;
    IF outcome = 'go' THEN
      BEGIN SELECT w.outcome, w.status, w.body INTO outcome, status, body FROM stage_write(p_merchant, i) w;
      EXCEPTION WHEN others THEN
        IF SQLSTATE IN ('40001', '40P01', '57014') THEN RAISE; END IF;      -- the whole call is tried again
        outcome := 'alone';
      END;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

-- Who holds this secret, the time, and how many requests the key made this minute, counting this one.
CREATE FUNCTION key_enter(p_secret_hash text, OUT merchant_id text, OUT key_id text, OUT agent_id text, OUT owner_id text, OUT made_by text, OUT scopes text[], OUT now timestamptz, OUT requests int)
LANGUAGE plpgsql AS $$ BEGIN
  now := ledger_clock();
  SELECT k.merchant_id, k.id, k.agent_id, k.owner_id, k.made_by, k.scopes INTO merchant_id, key_id, agent_id, owner_id, made_by, scopes
    FROM agent_key k WHERE k.secret_hash = p_secret_hash AND k.revoked_at IS NULL AND k.expires_at > now;
  IF NOT FOUND THEN RETURN; END IF;
  INSERT INTO request_minute AS r VALUES (merchant_id, key_id, date_trunc('minute', now, 'UTC'), 1)
    ON CONFLICT ON CONSTRAINT request_minute_pkey DO UPDATE SET requests = r.requests + 1 RETURNING r.requests INTO requests;
END $$;

-- ───────────────────────────────────────────────────────────── the application's login
-- Made before migrating, by whoever runs the server: this file's owner need not be able to create roles.
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO undersigned_app;
GRANT SELECT ON merchant, person, member, sign_in, agent, agent_key, agent_session, provenance, request_minute, refusal_minute, head, entry, policy, digested_text,
  customer, shop_order, order_line, payment, import_run, change, change_content, change_verdict, decision, platform_account, platform_write, apply_lease, store_refund, outbox, stored_answer, fsck_run TO undersigned_app;
GRANT INSERT ON merchant, person, member, sign_in, agent, agent_key, agent_session, provenance, request_minute, refusal_minute, policy, digested_text,
  customer, import_run, change, change_content, change_verdict, decision, platform_write, apply_lease, store_refund, outbox, stored_answer, fsck_run TO undersigned_app;
GRANT INSERT (merchant_id) ON head TO undersigned_app;
GRANT INSERT (merchant_id, entry) ON entry TO undersigned_app;
GRANT INSERT (merchant_id, id, number, customer_id, currency, placed_at, shipping_minor) ON shop_order TO undersigned_app;
GRANT INSERT (merchant_id, id, order_id, position, sku, title, quantity, paid_minor) ON order_line TO undersigned_app;
GRANT INSERT (merchant_id, id, order_id, currency, paid_at, captured_minor, disputed_minor) ON payment TO undersigned_app;
GRANT UPDATE (captured_minor, disputed_minor) ON payment TO undersigned_app;
GRANT UPDATE (state, revision, effective_at) ON change TO undersigned_app;
GRANT UPDATE (name) ON person TO undersigned_app;
GRANT UPDATE (role, removed_at) ON member TO undersigned_app;
GRANT UPDATE (ended_at) ON sign_in, agent_session TO undersigned_app;
GRANT UPDATE (owner_id, made_by, persons, secret_hash, scopes, expires_at, revoked_at) ON agent_key TO undersigned_app;
GRANT UPDATE (whole) ON provenance TO undersigned_app;
GRANT UPDATE (requests) ON request_minute TO undersigned_app;
GRANT UPDATE (refusals, closed) ON refusal_minute TO undersigned_app;
GRANT UPDATE (revision, state, sent_at, tries, done_at, reference) ON platform_write TO undersigned_app;
GRANT UPDATE (holder, until) ON apply_lease TO undersigned_app;
GRANT UPDATE (due_at, attempts) ON outbox TO undersigned_app;
GRANT UPDATE ON stored_answer TO undersigned_app;
GRANT DELETE ON apply_lease, change_content, digested_text, outbox, stored_answer, request_minute, refusal_minute TO undersigned_app;
GRANT USAGE ON TYPE stage_item TO undersigned_app;
GRANT EXECUTE ON FUNCTION ledger_clock, entry_member, entry_state, entry_text, standing_approvals, ledger_lock, ledger_append, change_advance, order_refunds, agent_write_check, stage_facts, agent_write_begin, refusal_append, stage_write, stage_change, stage_changes, key_enter TO undersigned_app;
