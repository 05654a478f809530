import { nameOf, own, type Entry } from "./entry";
import type { MoveType } from "./entry-types";
import { ofEntries, type Fault, type Report, type ReportEntry } from "./finding";
import { governanceFaults } from "./governance";
import { partyFault, type Parties } from "./parties";
import { Payments } from "./payments";
import { Roster } from "./roster";
import { countsAgainstPayment, isFinal, TRANSITIONS } from "./transitions";
import { Trims } from "./trims";

type Move = Entry<MoveType>;
type Decision = Entry<"change.endorsed" | "change.approved">;

/** A change as its entries told so far. */
type Life = Parties & { id: string; revision: number; digest: string; required: number; stager: string; payment: string | undefined; total: bigint; counted: boolean };

/** All that is kept of a change that has come to its end: shared by every change that ended alike, so that memory stays small. */
type Ended = Pick<Life, "state" | "revision" | "excluded">;

/** Replays a log's entries against DESIGN section 4 and I6. */
export class Lifecycle {
  readonly trims = new Trims();
  private readonly report: ReportEntry;
  private readonly payments = new Payments();
  private readonly open = new Map<string, Life>();
  private readonly ended = new Map<string, Ended>();
  private readonly endings = new Map<string, Ended>();
  /** What was withdrawn last: a change that takes its place follows at once. */
  private withdrawn: Life | null = null;
  /** Changes whose place another took. */
  private readonly superseded = new Set<string>();

  /** `others`: whether the entries about other changes are told too. Where they are not, nothing is held against what takes one's place. */
  constructor(report: Report, readonly roster = new Roster(), private readonly others: "told" | "unknown" = "told") {
    this.report = ofEntries(report);
  }

  push(entry: Entry, place: number): void {
    if ((entry.seq === 0) !== (entry.type === "log.opened")) this.report("illegal_transition", place, `${entry.type} at ${entry.seq}: a log begins with log.opened, once`);
    if (isMove(entry)) this.move(entry, place);
    else if (entry.type !== "change.refused") for (const { kind, detail } of governanceFaults(entry, this.roster)) this.report(kind, place, detail);
    this.roster.replay(entry);
  }

  private move(entry: Move, place: number): void {
    const life = this.open.get(entry.subject);
    const known = this.known(entry.subject);
    const wrong = this.fault(entry, life, known);
    if (wrong) this.report(wrong.kind, place, wrong.detail);
    if (life && life.digest !== entry.digest) this.report("content_mismatch", place, `digest is ${entry.digest}, it was staged as ${life.digest}`);
    // Applying and its outcome name whoever approved, who need not be a member any more.
    if (!CARRIED_OUT.has(entry.type) || known?.state === "failed") this.mustBeMember(entry, place);
    if (life && entry.type === "change.withdrawn") this.withdrawn = life;
    const now = entry.type === "change.staged" ? this.stage(entry) : life ?? unknownLife(entry, known?.excluded);
    if (entry.type === "change.endorsed" || entry.type === "change.approved") this.approve(entry, now, place);
    if (entry.type === "change.retracted") now.approvals.delete(entry.actor.id);
    set(entry, now);
    if (life?.state === "failed" && entry.type === "change.applying") this.quorum(life, life.required, place);
    now.state = TRANSITIONS[entry.type].to;
    now.revision = entry.revision;
    this.count(now, place);
    this.keep(now);
  }

  private fault(entry: Move, life: Life | undefined, known: Ended | undefined): Fault | null {
    const detail = this.transitionFault(entry, known);
    return detail !== null ? { kind: "illegal_transition", detail } : life ? partyFault(entry, life, this.roster) : null;
  }

  private transitionFault(entry: Move, known: Ended | undefined): string | null {
    const { from, by } = TRANSITIONS[entry.type];
    const state = known?.state;
    if (!by.includes(entry.actor.kind)) return `${entry.type} by ${nameOf(entry.actor)}`;
    if (entry.type === "change.staged" ? state !== undefined : state === undefined || !from.includes(state)) {
      return `${entry.type} of a change that is ${state ?? "not staged"}`;
    }
    if (entry.revision !== (known?.revision ?? 0) + 1) return `revision ${entry.revision} follows revision ${known?.revision ?? 0}`;
    if ("policy" in entry.data && entry.data.policy > this.roster.policy) return `policy ${entry.data.policy} was not published`;
    if (entry.type === "change.staged" && this.others === "told") {
      const fault = this.roster.keys.stagingFault(entry) ?? (entry.data.supersedes === undefined ? null : this.placeFault(entry.data.supersedes));
      if (fault) return fault;
    }
    if ((entry.type === "change.approved" || entry.type === "change.applying" && state === "failed") && this.superseded.has(entry.subject)) {
      return `${entry.type} of a change whose place another took`;
    }
    if (this.roster.paused && (entry.type === "change.staged" || entry.type === "change.applying")) return `${entry.type} while the merchant was paused`;
    return null;
  }

  /** Why nothing may take the place of this change, or null. */
  private placeFault(id: string): string | null {
    const before = this.known(id)?.state;
    if (before === undefined || countsAgainstPayment(before)) return `takes the place of ${id}, which is ${before ?? "not staged"}`;
    return before === "withdrawn" && this.superseded.has(id) ? `takes the place of ${id}, which another took before` : null;
  }

  private known(id: string): Ended | undefined {
    return this.open.get(id) ?? this.ended.get(id);
  }

  private stage(entry: Entry<"change.staged">): Life {
    const { actor, data } = entry;
    const earlier = data.supersedes === undefined ? undefined : this.known(data.supersedes);
    const excluded = new Set(data.excludes);
    for (const person of this.roster.keys.persons(data.key)) excluded.add(person);
    for (const person of earlier?.excluded ?? []) excluded.add(person);
    if (actor.kind === "person") excluded.add(actor.id);
    if (actor.kind === "agent") excluded.add(actor.for);
    if (data.by !== undefined) {
      if (this.lowers(entry)) this.trims.add(entry.subject, data.supersedes!, data.by);
      else excluded.add(data.by); // any other edit makes its maker the stager
    }
    if (data.supersedes !== undefined) this.superseded.add(own(data.supersedes));
    if (data.payment !== undefined && data.captured !== undefined) this.payments.seen(data.payment, BigInt(data.captured));
    return { ...unknownLife(entry, excluded), required: data.required, agent: actor.kind === "agent" ? actor.id : data.agent, payment: data.payment, total: BigInt(data.total ?? "0") };
  }

  /** Whether it asks for less, in its stager's name, than what was withdrawn for it. */
  private lowers({ actor, data }: Entry<"change.staged">): boolean {
    if (this.others === "unknown") return true;
    if (this.withdrawn === null || this.withdrawn.id !== data.supersedes) return false;
    const { stager, payment, total } = this.withdrawn;
    return stager === actor.id && payment === data.payment && BigInt(data.total ?? "0") < total;
  }

  private approve(entry: Decision, life: Life, place: number): void {
    const person = entry.actor.id;
    const own = life.excluded.has(person);
    if (own) this.report("self_approval", place, `${person} may not approve this change`);
    life.approvals.set(person, !own && entry.actor.kind === "person" && this.roster.mayDecide(person));
    if (!own) this.trims.approved(life.id, person, place);
    if (entry.type === "change.approved") this.quorum(life, Math.max(life.required, entry.data.required), place);
  }

  /** An approval counts where its person could give it, and still could at this entry. */
  private quorum(life: Life, required: number, place: number): void {
    let have = 0;
    for (const [person, valid] of life.approvals) if (valid && this.roster.mayDecide(person)) have += 1;
    if (have < required) this.report("quorum_not_met", place, `${have} of ${required} persons who may approve have approved`);
  }

  private count(life: Life, place: number): void {
    const counts = countsAgainstPayment(life.state);
    if (life.payment === undefined || counts === life.counted) return;
    life.counted = counts;
    const over = this.payments.take(life.payment, counts ? life.total : -life.total);
    if (over) this.report("over_refunded", place, over);
  }

  private keep(life: Life): void {
    const { id } = life;
    if (!isFinal(life.state)) {
      this.open.set(id, life);
      return;
    }
    this.open.delete(id);
    const key = [life.state, life.revision, ...life.excluded].join(" ");
    const ending = this.endings.get(key) ?? { state: life.state, revision: life.revision, excluded: life.excluded };
    this.endings.set(key, ending);
    this.ended.set(id, ending);
  }

  private mustBeMember(entry: Move, place: number): void {
    const person = personOf(entry);
    if (person === null) return;
    const role = this.roster.role(person);
    if (role === null) this.report("not_a_member", place, `${person} was not a member at ${entry.type}`);
    else if (role === "auditor") this.report("not_a_member", place, `${person} was an auditor at ${entry.type}`);
  }
}

const CARRIED_OUT: ReadonlySet<string> = new Set(["change.applying", "change.applied", "change.failed"]);

/** Who acts, where a person does. A trim names whoever staged first as its actor; who made it acts. */
function personOf(entry: Move): string | null {
  if (entry.type === "change.staged" && entry.data.by !== undefined) return entry.data.by;
  return entry.actor.kind === "person" ? entry.actor.id : null;
}

const MOVES: ReadonlySet<string> = new Set(Object.keys(TRANSITIONS));
const isMove = (entry: Entry): entry is Move => MOVES.has(entry.type);

/** What is set by an approval, a time or a beginning. */
function set(entry: Move, life: Life): void {
  switch (entry.type) {
    case "change.approved": Object.assign(life, { approver: entry.actor.id, scheduler: null, due: "" }); break;
    case "change.scheduled": Object.assign(life, { scheduler: entry.actor.id, due: entry.data.at ?? null }); break;
    case "change.applying": Object.assign(life, { mover: entry.actor.id, attempt: entry.data.attempt }); break;
    default: // sets nothing
  }
}

const unknownLife = (entry: Move, excluded: ReadonlySet<string> = new Set()): Life => ({
  id: own(entry.subject), state: "staged", revision: entry.revision, digest: own(entry.digest), excluded, required: 1, stager: entry.actor.id, agent: undefined, payment: undefined, total: 0n,
  approvals: new Map(), counted: false, approver: null, scheduler: null, due: "", mover: null, attempt: null,
});
