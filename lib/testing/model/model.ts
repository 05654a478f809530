import type { ChangeState } from "../../changes/lifecycle";

// Refunds as a few maps: what may happen, what is held and what is paid. The log is read into it entry by entry, and each entry is judged
// on the way; a command is predicted before it is sent.

export type ModelChange = {
  id: string; payment: string; amount: bigint; units: number; state: ChangeState; required: number; excludes: readonly string[]; seq: number;
  expiresAt: number; effectiveAt: number | null; signed: Set<string>;
  retracted: string | null; rejectedBy: string | null;
};
export type ModelPayment = { captured: bigint; disputed: bigint; refunded: bigint; held: bigint; /** Of its one line: how many there are, and how many are refunded or held by line. */ units: number; taken: number };
export type Rules = { max: bigint; oneUpTo: bigint; undoMs: number; expiresMs: number };
export type Seen = { forged?: boolean; figures?: string };
/** What the log leaves to the content of a change. */
export type Staged = { payment: string; units: number; expiresAt: Date };
export type LogEntry = { seq: number; at: string; type: string; subject: string; actor: { id: string }; data: Record<string, unknown> };

const need = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(`the model says no: ${what}`);
};

export class Model {
  readonly changes = new Map<string, ModelChange>();
  readonly payments = new Map<string, ModelPayment>();
  /** Persons whose role decides. */
  readonly deciders = new Set<string>();
  paused = false;
  policy = 0;
  /** The log's time: it never goes back. */
  now = 0;
  next = 0;

  /** `owners` may approve nothing that their agents propose. */
  constructor(public rules: Rules, readonly owners: readonly string[]) {}

  change = (id: string): ModelChange => this.changes.get(id)!;

  remaining(payment: string): bigint {
    const { captured, disputed, refunded, held } = this.payments.get(payment)!;
    return captured - disputed - refunded - held;
  }

  /** Whether what is left bears it, in money and in units of the line. */
  bears(payment: string, amount: bigint, units: number): boolean {
    const books = this.payments.get(payment)!;
    return amount <= this.remaining(payment) && books.taken + units <= books.units;
  }

  /** Signatures asked for today: by the order's refunds that are paid, held or were staged earlier, and this one. */
  required(change: Pick<ModelChange, "payment" | "amount"> & { seq: number }): number {
    let total = change.amount;
    for (const other of this.changes.values()) {
      if (other.payment !== change.payment || other.seq === change.seq) continue;
      if (["approved", "applying", "applied"].includes(other.state) || (other.state === "staged" && other.seq < change.seq)) total += other.amount;
    }
    return total <= this.rules.oneUpTo ? 1 : 2;
  }

  /** Signatures that count today: of persons who may still decide. */
  counting = ({ signed }: ModelChange): number => [...signed].filter((person) => this.deciders.has(person)).length;

  /** What a decision on this change rests on. */
  figures(id: string): string {
    const change = this.change(id);
    const { captured, disputed, refunded, held } = this.payments.get(change.payment)!;
    return [captured, disputed, refunded + held, this.policy, this.required(change)].join();
  }

  /** How staging this would be answered. */
  staging(payment: string, amount: bigint, units: number): string {
    const eligible = [...this.deciders].filter((person) => !this.owners.includes(person)).length;
    const isFit = this.isAllowed(amount) && this.bears(payment, amount, units) && this.required({ payment, amount, seq: this.next }) <= eligible;
    return isFit ? "done" : "guardrail_violation";
  }

  private isAllowed = (amount: bigint): boolean => !this.paused && amount <= this.rules.max;

  /**
   * How an approval at this time would be answered; `seen` is what the form was made of: another content (`forged`), other figures.
   * `again`: the person has signed, and no second signature comes of it.
   */
  approval(id: string, person: string, at: number, seen: Seen = {}): string {
    const change = this.change(id);
    if (!this.deciders.has(person)) return "forbidden";
    if (change.signed.has(person)) return "again";
    if (change.state !== "staged") return `change_already_${change.state}`;
    if (change.expiresAt <= Math.max(at, this.now)) return "change_already_expired";
    if (change.excludes.includes(person)) return "self_approval";
    if (seen.forged) return "change_moved";
    if (!this.bears(change.payment, change.amount, change.units)) return "exceeds_refundable";
    if ((seen.figures ?? this.figures(id)) !== this.figures(id)) return "facts_moved";
    return this.isAllowed(change.amount) ? "done" : "guardrail_violation";
  }

  rejection(id: string, person: string, at: number, { forged = false }: Seen = {}): string {
    const { state, expiresAt, rejectedBy } = this.change(id);
    if (!this.deciders.has(person)) return "forbidden";
    if (state === "rejected" && rejectedBy === person) return "again";
    if (state !== "staged" && state !== "approved") return `change_already_${state}`;
    if (expiresAt <= Math.max(at, this.now)) return "change_already_expired";
    return forged ? "change_moved" : "done";
  }

  retraction(id: string, person: string, at: number, { forged = false }: Seen = {}): string {
    const { state, signed, effectiveAt, retracted } = this.change(id);
    if (!this.deciders.has(person)) return "forbidden";
    if (state === "staged" && retracted === person) return "again";
    if (["applying", "applied", "failed"].includes(state)) return "too_late_to_retract";
    if (state === "staged") return "not_approved";
    if (state !== "approved") return `change_already_${state}`;
    if (effectiveAt! <= at) return "too_late_to_retract";
    if (!signed.has(person)) return "not_your_approval";
    return forged ? "change_moved" : "done";
  }

  retry(id: string, person: string, at: number, { forged = false }: Seen = {}): string {
    const change = this.change(id);
    if (!this.deciders.has(person)) return "forbidden";
    if (change.state !== "failed") return change.state === "staged" ? "not_failed" : `change_already_${change.state}`;
    if (change.expiresAt <= Math.max(at, this.now)) return "change_already_expired";
    if (change.excludes.includes(person)) return "self_approval";
    if (forged) return "change_moved";
    if (!this.isAllowed(change.amount) || !this.bears(change.payment, change.amount, change.units)) return "guardrail_violation";
    return Math.max(change.required, this.required(change)) > this.counting(change) ? "quorum_not_met" : "done";
  }

  /** An agent's, of its own. */
  withdrawal(id: string): string {
    const { state } = this.change(id);
    return state === "staged" || state === "approved" ? "done" : `change_already_${state}`;
  }

  /** A person's, of what failed. */
  givingUp(id: string, person: string, { forged = false }: Seen = {}): string {
    const { state } = this.change(id);
    if (!this.deciders.has(person)) return "forbidden";
    if (state !== "failed") return state === "staged" || state === "approved" ? "not_failed" : `change_already_${state}`;
    return forged ? "change_moved" : "done";
  }

  /** Reads the log's next entry: it must be one that may come now. */
  read(entry: LogEntry, staged: (id: string) => Staged): void {
    need(entry.seq === this.next, `entry ${entry.seq} comes after ${this.next - 1}`);
    const at = Date.parse(entry.at);
    need(at >= this.now, "the log's time went back");
    this.now = at;
    this.next++;
    const { type, subject, data } = entry;
    if (type === "policy.published") this.policy = Number(data.version);
    if (type === "member.added" || type === "member.changed") this.mayDecide(String(data.person), data.role === "admin" || data.role === "operator");
    if (type === "merchant.paused" || type === "merchant.resumed") this.paused = type === "merchant.paused";
    if (type === "change.staged") return this.stage(entry, staged(subject));
    if (type.startsWith("change.") && type !== "change.refused") this.move(this.change(subject), type, entry.actor.id, at, data);
  }

  private mayDecide(person: string, may: boolean): void {
    if (may) this.deciders.add(person);
    else this.deciders.delete(person);
  }

  private stage({ subject, seq, data }: LogEntry, { payment, units, expiresAt }: Staged): void {
    const amount = BigInt(String(data.total));
    need(this.staging(payment, amount, units) === "done", `${subject} was staged`);
    const required = this.required({ payment, amount, seq });
    need(required === data.required, `${subject} asks for ${String(data.required)} signatures, not ${required}`);
    this.changes.set(subject, {
      id: subject, payment, amount, units, seq, required, excludes: data.excludes as string[], state: "staged", expiresAt: expiresAt.getTime(), effectiveAt: null, signed: new Set(), retracted: null, rejectedBy: null,
    });
  }

  private move(change: ModelChange, type: string, person: string, at: number, data: Record<string, unknown>): void {
    const payment = this.payments.get(change.payment)!;
    const to = (state: ChangeState, ...from: ChangeState[]): void => {
      need(from.includes(change.state), `${change.id} went from ${change.state} to ${state}`);
      const holds = (each: ChangeState) => each === "approved" || each === "applying";
      const moves = Number(holds(state)) - Number(holds(change.state));
      payment.held += BigInt(moves) * change.amount;
      payment.taken += moves * change.units;
      change.state = state;
      change.effectiveAt = null;
      need(payment.held >= 0n && payment.held + payment.refunded <= payment.captured, `${change.payment} holds ${payment.held} of ${payment.captured}`);
    };
    const sign = (enough: boolean): void => {
      need(this.deciders.has(person) && !change.excludes.includes(person) && !change.signed.has(person), `${person} signed ${change.id}`);
      need(this.isAllowed(change.amount) && this.bears(change.payment, change.amount, change.units) && at < change.expiresAt, `${change.id} was signed`);
      const required = Math.max(change.required, this.required(change));
      need(enough === this.counting(change) + 1 >= required, `${this.counting(change) + 1} of ${required} signatures and ${type}`);
      change.signed.add(person);
      change.retracted = null;
    };
    switch (type) {
      case "change.endorsed": sign(false); return to("staged", "staged");
      case "change.approved": sign(true); return to("approved", "staged");
      case "change.retracted": need(change.signed.delete(person), `${person} took back what they had not signed`); change.retracted = person; return to("staged", "approved");
      case "change.rejected": change.rejectedBy = person; return to("rejected", "staged", "approved");
      case "change.withdrawn": return to("withdrawn", "staged", "approved", "failed");
      case "change.expired": need(change.expiresAt <= at, `${change.id} expired early`); return to("expired", "staged", "approved");
      case "change.applying": need(this.mayApply(change, at), `${change.id} was applied`); return to("applying", "approved", "failed");
      case "change.applied": to("applied", "applying"); payment.refunded += change.amount; payment.taken += change.units; return;
      case "change.failed": need(this.mayFail(change, String(data.cause)), `${change.id} failed by ${String(data.cause)}`); return to("failed", "approved", "applying");
      default: need(false, `an entry ${type}`);
    }
  }

  /** A quorum that was met stands, whoever leaves; trying again is asked of those who may decide today. */
  private mayApply(change: ModelChange, at: number): boolean {
    const isSigned = change.state === "failed" ? this.counting(change) >= Math.max(change.required, this.required(change)) : change.signed.size >= this.required(change);
    return isSigned && this.isAllowed(change.amount) && at < change.expiresAt;
  }

  private mayFail(change: ModelChange, cause: string): boolean {
    if (cause === "quorum_not_met") return this.required(change) > change.signed.size;
    return !this.isAllowed(change.amount) || this.remaining(change.payment) < 0n;
  }
}
