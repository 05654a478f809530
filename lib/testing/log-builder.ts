import { leafHash, NO_LEAF } from "../audit/leaf";
import { LogCheck } from "../audit/log-check";
import { sha256 } from "../audit/sha256";
import { canonicalJson, type Json } from "../kernel/canonical-json";

type JsonObject = { readonly [member: string]: Json | undefined };
/** An entry before it is sealed: what a log adds is left out, and may be given to be wrong. */
export type Draft = { type: string; actor: JsonObject; subject: string; data: JsonObject; revision?: number; digest?: string; [wrong: string]: Json | undefined };

export const MERCHANT = "mer-Merchant01";
export const LOG = `undersigned/${MERCHANT}`;
export const OWNER = "per-KeyOwner01";
export const ONE = "per-Operator01";
export const TWO = "per-Operator02";
export const AUDITOR = "per-Auditor001";
export const AGENT = "agt-Agent00001";
export const KEY = "key-AgentKey01";
export const PAYMENT = "pay-Payment001";
export const FACTS = sha256("facts");

export const person = (id: string) => ({ kind: "person", id });
export const agent = { kind: "agent", id: AGENT, for: OWNER };
export const system = (id: "setup" | "worker") => ({ kind: "system", id });

/** Exact bytes of a log with these entries: numbered, timed and linked. */
export function seal(drafts: readonly Draft[], log = LOG): string[] {
  let prev = NO_LEAF;
  return drafts.map((draft, seq) => {
    const at = new Date(Date.UTC(2026, 10, 30, 9) + seq * 1000).toISOString();
    const bytes = canonicalJson({ at, log, prev, seq, v: 1, ...draft });
    prev = leafHash(sha256, bytes);
    return bytes;
  });
}

const setup = (type: string, subject: string, data: JsonObject): Draft => ({ type, actor: system("setup"), subject, data });
const member = (id: string, person: string, role: string) => setup("member.added", id, { person, role, profileDigest: sha256(person) });

/** How every log here begins: entries 0 to 7. */
export const OPENING: readonly Draft[] = [
  setup("log.opened", MERCHANT, { format: "undersigned-log/1" }),
  setup("policy.published", MERCHANT, { version: 1, rules: { expires_after_hours: 168, note: "caf\u00e9" } }),
  member("mem-Owner00001", OWNER, "admin"),
  member("mem-One0000001", ONE, "operator"),
  member("mem-Two0000001", TWO, "operator"),
  member("mem-Auditor001", AUDITOR, "auditor"),
  { type: "agent.created", actor: person(OWNER), subject: AGENT, data: { nameDigest: sha256("agent") } },
  {
    type: "key.created", actor: person(OWNER), subject: KEY,
    data: { agent: AGENT, owner: OWNER, by: OWNER, scopes: ["read", "stage:refund"], expiresAt: "2027-11-30T00:00:00.000Z" },
  },
];

const orNull = (value: Json | undefined): Json => value ?? null;

/** A change of the agent's, step by step; `content` is what its staging stands for. */
export class ChangeStory {
  readonly content: string;
  private revision = 0;
  private readonly staging: JsonObject;

  /** `told`: what its content says otherwise. */
  constructor(readonly id: string, staging: JsonObject = {}, private readonly stager: JsonObject = agent, told: JsonObject = {}) {
    this.staging = {
      kind: "refund", currency: "GBP", total: "1250", payment: PAYMENT, captured: "10000", policy: 1, required: 1,
      agent: AGENT, key: KEY, session: "ses-Session001", excludes: [OWNER], ...staging,
    };
    const { agent: by, currency, kind, policy, session, supersedes, total } = this.staging;
    this.content = canonicalJson({
      v: 1, id, log: LOG, kind: orNull(kind), summary: "Refund a caf\u00e9 mug", reason: "damaged", note: "caf\u00e9", evidence: [{ label: "photo", text: "cracked" }],
      currency: orNull(currency), total: orNull(total), order: "ord-Order00001",
      items: [{ target: "lin-Line000001", field: "refunded", before: "0", after: orNull(total), quantity: 1, restock: "none" }],
      session: orNull(session), agent: orNull(by), policy: orNull(policy), salt: "0".repeat(32),
      stagedAt: "2026-11-30T09:00:00.000Z", expiresAt: "2026-12-07T09:00:00.000Z", supersedes: orNull(supersedes),
      ...told,
    });
  }

  step(verb: string, actor: JsonObject, data: JsonObject = {}): Draft {
    this.revision += 1;
    return { type: `change.${verb}`, actor, subject: this.id, revision: this.revision, digest: sha256(this.content), data };
  }

  staged = (): Draft => this.step("staged", this.stager, this.staging);
  approval = (verb: "approved" | "endorsed", by: string, have = 1, required = 1): Draft =>
    this.step(verb, person(by), { policy: 1, required, have, factsDigest: FACTS });
  approved = (by: string, have = 1, required = 1): Draft => this.approval("approved", by, have, required);
  endorsed = (by: string): Draft => this.approval("endorsed", by, 1, 2);
  retracted = (by: string): Draft => this.step("retracted", person(by));
  rejected = (by: string): Draft => this.step("rejected", person(by), { code: "other", reasonDigest: sha256("reason") });
  applying = (by: string): Draft => this.step("applying", person(by), { policy: 1, attempt: `${this.id}/${this.revision + 1}` });
  applied = (by: string): Draft => this.step("applied", person(by), { attempt: `${this.id}/${this.revision}`, references: ["rfd-Refund0001"] });
  failed = (by: string): Draft => this.step("failed", person(by), { cause: "dispute" });
}

/** A log in which everything that may happen to a change happens: from entry 8 on, eight changes. */
export function wholeStory(): { drafts: Draft[]; contents: string[] } {
  const [paid, two, no, gone, back, again, late, next] = Array.from({ length: 8 }, (_, at) =>
    new ChangeStory(`chg-Change000${at}`, at === 7 ? { supersedes: "chg-Change0003" } : at === 1 ? { required: 2 } : {})) as [
    ChangeStory, ChangeStory, ChangeStory, ChangeStory, ChangeStory, ChangeStory, ChangeStory, ChangeStory];
  const drafts = [
    ...OPENING,
    paid.staged(), paid.approved(ONE), paid.applying(ONE), paid.applied(ONE),
    two.staged(), two.endorsed(ONE), two.approved(TWO, 2, 2),
    no.staged(), no.rejected(TWO),
    gone.staged(), gone.step("withdrawn", agent),
    back.staged(), back.approved(ONE), back.retracted(ONE), back.approved(TWO), back.step("scheduled", person(TWO), { at: "2026-12-01T00:00:00.000Z" }),
    again.staged(), again.approved(ONE), again.failed(ONE), again.applying(TWO), again.applied(TWO),
    late.staged(), late.step("expired", system("worker")),
    { type: "change.refused", actor: agent, subject: "ses-Session001", data: { code: "guardrail_violation", verb: "stage", rule: "max_refund_amount", cap: "50000", actual: "60000" } },
    next.staged(), next.rejected(ONE),
  ];
  return { drafts, contents: [paid, two, no, gone, back, again, late, next].map(({ content }) => content) };
}

/** Findings of a log that goes on like this from entry 8. */
export function findingsAfter(...drafts: Draft[]): string[] {
  const found: string[] = [];
  const check = new LogCheck(LOG, sha256, (kind, place) => found.push(`${kind} @ ${place}`));
  for (const bytes of seal([...OPENING, ...drafts])) check.push(bytes);
  check.end();
  return found;
}
