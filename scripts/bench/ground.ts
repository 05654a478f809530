import { createHash, randomBytes } from "node:crypto";
import type pg from "pg";
import { DEFAULT_RULES, type PolicyRules } from "../../lib/guardrails/schema";
import { canonicalJson } from "../../lib/kernel/canonical-json";
import { newId } from "../../lib/kernel/ids";
import type { StageCall } from "../../lib/changes/stage-call";

// A day of the bench is busier than any cap of a day.
export const BUSY_RULES: PolicyRules = { ...DEFAULT_RULES, agent_daily_changes: 1_000_000, max_pending_per_agent: 1_000_000, agent_daily_refund_total: { GBP: "9999999999" } };
const SETUP = { id: "setup", kind: "system" };

/** A merchant made ready by the database's owner, in bulk: `orders` payments of 10.00 that nothing has touched. */
export class Ground {
  readonly id = newId("mer");
  readonly #agent = newId("agt");
  readonly #key = newId("key");
  readonly #sessions = Array.from({ length: 64 }, () => newId("ses"));
  readonly #prefix = randomBytes(3).toString("hex");
  #next = 0;

  constructor(readonly orders: number) {}

  async lay(owner: pg.Client): Promise<void> {
    const { id } = this;
    const append = (type: string, data: object) => owner.query("SELECT ledger_append($1, $2)", [id, canonicalJson({ actor: SETUP, data, subject: id, type } as never)]);
    await owner.query("INSERT INTO merchant VALUES ($1, $2, 'Bench', 'UTC', now())", [id, `bench-${id.slice(4).toLowerCase().replaceAll("_", "-")}`]);
    await owner.query("INSERT INTO head (merchant_id) VALUES ($1)", [id]);
    await append("log.opened", { format: "undersigned-log/1" });
    await owner.query("INSERT INTO policy VALUES ($1, 1, $2, now())", [id, canonicalJson(BUSY_RULES)]);
    await append("policy.published", { version: 1, rules: BUSY_RULES });
    await owner.query("INSERT INTO agent VALUES ($1, $2, 'bench', now())", [id, this.#agent]);
    await owner.query("INSERT INTO agent_key VALUES ($1, $2, $3, 'per-AAAAAAAAAA', 'per-AAAAAAAAAA', '{per-AAAAAAAAAA}', $4, '{}', now(), now() + interval '1 day')", [id, this.#key, this.#agent, randomBytes(32).toString("hex")]);
    await owner.query("INSERT INTO agent_session SELECT $1, unnest($2::text[]), $3, $4, now(), now() + interval '1 day'", [id, this.#sessions, this.#agent, this.#key]);
    await owner.query("INSERT INTO shop_order (merchant_id, id, number, currency, placed_at, shipping_minor) SELECT $1, 'ord-' || $2 || n, 'n' || n, 'GBP', now(), 0 FROM generate_series(0, $3::int - 1) n", [id, this.#prefix, this.orders]);
    await owner.query("INSERT INTO payment (merchant_id, id, order_id, currency, paid_at, captured_minor) SELECT $1, 'pay-' || $2 || n, 'ord-' || $2 || n, 'GBP', now(), 1000 FROM generate_series(0, $3::int - 1) n", [id, this.#prefix, this.orders]);
  }

  /** What staging a refund of 1.00 on the next untouched payment sends to the database. */
  nextCall(caller: number): StageCall {
    const n = this.#next++;
    if (n >= this.orders) throw new Error("the bench ran out of payments: lay more ground");
    const id = newId("chg");
    const [order, payment] = [`ord-${this.#prefix}${n}`, `pay-${this.#prefix}${n}`];
    const content = canonicalJson({
      v: 1, id, log: `undersigned/${this.id}`, kind: "refund", summary: "Refund £1.00 of order 1", reason: "damaged", note: "The handle was broken when the parcel arrived; photo attached.", evidence: [], currency: "GBP",
      total: "100", order, items: [{ target: payment, field: "refunded", before: "0", after: "100" }], session: null, agent: this.#agent, policy: 1, salt: "0".repeat(32), stagedAt: "2026-11-30T00:00:00.000Z",
      expiresAt: "2026-12-07T00:00:00.000Z", supersedes: null,
    });
    const digest = createHash("sha256").update(content).digest("hex");
    const data = { kind: "refund", currency: "GBP", total: "100", payment, captured: "1000", policy: 1, required: 1, agent: this.#agent, key: this.#key, excludes: ["per-AAAAAAAAAA"] };
    const figures = { capturedMinor: 1000n, refundedMinor: 0n, heldMinor: 0n, disputedMinor: 0n, stagedMinor: 0n };
    return {
      merchantId: this.id, agentId: this.#agent, keyId: this.#key, sessionId: this.#sessions[caller % this.#sessions.length]!, request: { key: id, hash: digest }, id, content, digest, verdict: "{}",
      entry: canonicalJson({ actor: { id: this.#agent, kind: "agent", for: "per-AAAAAAAAAA" }, data, digest, revision: 1, subject: id, type: "change.staged" }), body: content,
      order: { id: order, currency: "GBP", payment: { id: payment, ...figures } } as StageCall["order"],
      amountMinor: 100n, reason: "damaged", required: 1, policy: 1, excludes: ["per-AAAAAAAAAA"], supersedes: null, stagedBy: null, trimmedBy: null, stagedAt: new Date(), expiresAt: new Date(Date.now() + 600_000_000),
    };
  }
}
