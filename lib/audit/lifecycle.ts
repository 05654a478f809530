import { own, type Actor, type Entry } from "./entry";
import type { MoveType } from "./entry-types";
import { ofEntries, type Report, type ReportEntry } from "./finding";
import { Payments } from "./payments";
import { Roster } from "./roster";
import { countsAgainstPayment, isFinal, TRANSITIONS, type State } from "./transitions";

type Move = Entry<MoveType>;
type Decision = Entry<"change.endorsed" | "change.approved">;

/** A change as its entries told so far. `approvals`: person → whether they could give that approval. */
type Life = {
  id: string; state: State; revision: number; digest: string; excluded: ReadonlySet<string>;
  required: number; stager: string; agent: string | undefined; payment: string | undefined; total: bigint;
  approvals: Map<string, boolean>; counted: boolean;
  /** Who set it to be applied, and by which attempt. */
  mover: string | null; attempt: string | null;
};

/** All that is kept of a change that has come to its end: shared by every change that ended alike, so that memory stays small. */
type Ended = Pick<Life, "state" | "revision" | "excluded">;

/** Replays a log's entries against DESIGN section 4 and I6. */
export class Lifecycle {
  private readonly report: ReportEntry;
  private readonly payments = new Payments();
  private readonly open = new Map<string, Life>();
  private readonly ended = new Map<string, Ended>();
  private readonly endings = new Map<string, Ended>();
  /** What was withdrawn last: a change that takes its place follows at once. */
  private withdrawn: Life | null = null;

  /** `others`: whether the entries about other changes are told too. Where they are not, nothing is held against what takes one's place. */
  constructor(report: Report, readonly roster = new Roster(), private readonly others: "told" | "unknown" = "told") {
    this.report = ofEntries(report);
  }

  push(entry: Entry, place: number): void {
    if ((entry.seq === 0) !== (entry.type === "log.opened")) this.report("illegal_transition", place, `${entry.type} at ${entry.seq}: a log begins with log.opened, once`);
    if (entry.type === "policy.published" && entry.data.version !== this.roster.policy + 1) {
      this.report("illegal_transition", place, `policy ${entry.data.version} follows policy ${this.roster.policy}`);
    }
    if (entry.type === "member.link_used" && (entry.actor.id !== entry.data.person || this.roster.link(entry.data.person) !== entry.data.link)) {
      this.report("illegal_transition", place, `${entry.actor.id} signs in by a link that was not made for them, or had ended`);
    }
    if (isMove(entry)) this.move(entry, place);
    else if (entry.type !== "change.refused") this.mustBeMember(entry, place);
    this.roster.replay(entry);
  }

  private move(entry: Move, place: number): void {
    const life = this.open.get(entry.subject);
    const known = this.known(entry.subject);
    const wrong = this.transitionFault(entry, life, known);
    if (wrong) this.report("illegal_transition", place, wrong);
    if (life && life.digest !== entry.digest) this.report("content_mismatch", place, `digest is ${entry.digest}, it was staged as ${life.digest}`);
    // Applying and its outcome name whoever approved, who need not be a member any more.
    if (!CARRIED_OUT.has(entry.type) || known?.state === "failed") this.mustBeMember(entry, place);
    if (life && entry.type === "change.withdrawn") this.withdrawn = life;
    const now = entry.type === "change.staged" ? this.stage(entry) : life ?? unknownLife(entry, known?.excluded);
    if (entry.type === "change.endorsed" || entry.type === "change.approved") this.approve(entry, now, place);
    if (entry.type === "change.retracted") now.approvals.delete(entry.actor.id);
    if (entry.type === "change.approved" || entry.type === "change.scheduled" || entry.type === "change.applying") now.mover = entry.actor.id;
    if (life?.state === "failed" && entry.type === "change.applying") this.quorum(life, life.required, place);
    if (entry.type === "change.applying") now.attempt = entry.data.attempt;
    now.state = TRANSITIONS[entry.type].to;
    now.revision = entry.revision;
    this.count(now, place);
    this.keep(now);
  }

  private transitionFault(entry: Move, life: Life | undefined, known: Ended | undefined): string | null {
    const { from, by } = TRANSITIONS[entry.type];
    const state = known?.state;
    if (!by.includes(entry.actor.kind)) return `${entry.type} by ${nameOf(entry.actor)}`;
    if (entry.type === "change.staged" ? state !== undefined : state === undefined || !from.includes(state)) {
      return `${entry.type} of a change that is ${state ?? "not staged"}`;
    }
    if (entry.revision !== (known?.revision ?? 0) + 1) return `revision ${entry.revision} follows revision ${known?.revision ?? 0}`;
    if ("policy" in entry.data && entry.data.policy > this.roster.policy) return `policy ${entry.data.policy} was not published`;
    if (entry.type === "change.staged" && entry.data.supersedes !== undefined && this.others === "told") {
      const before = this.known(entry.data.supersedes)?.state;
      if (before === undefined || countsAgainstPayment(before)) return `takes the place of ${entry.data.supersedes}, which is ${before ?? "not staged"}`;
    }
    if (this.roster.paused && (entry.type === "change.staged" || entry.type === "change.applying")) return `${entry.type} while the merchant was paused`;
    return life ? partyFault(entry, life) : null;
  }

  private known(id: string): Ended | undefined {
    return this.open.get(id) ?? this.ended.get(id);
  }

  private stage(entry: Entry<"change.staged">): Life {
    const { actor, data } = entry;
    const earlier = data.supersedes === undefined ? undefined : this.known(data.supersedes);
    const excluded = new Set(data.excludes);
    for (const person of this.roster.keyPersons(data.key)) excluded.add(person);
    for (const person of earlier?.excluded ?? []) excluded.add(person);
    if (actor.kind === "person") excluded.add(actor.id);
    if (actor.kind === "agent") excluded.add(actor.for);
    if (data.by !== undefined && !this.lowers(entry)) excluded.add(data.by); // any other edit makes its maker the stager
    if (data.payment !== undefined && data.captured !== undefined) this.payments.seen(data.payment, BigInt(data.captured));
    return { ...unknownLife(entry, excluded), required: data.required, agent: data.agent, payment: data.payment, total: BigInt(data.total ?? "0") };
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

  private mustBeMember(entry: Entry, place: number): void {
    const person = personOf(entry);
    if (person === null) return;
    const role = this.roster.role(person);
    if (role === null) this.report("not_a_member", place, `${person} was not a member at ${entry.type}`);
    else if (role === "auditor" && entry.type !== "member.link_used") this.report("not_a_member", place, `${person} was an auditor at ${entry.type}`);
  }
}

const CARRIED_OUT: ReadonlySet<string> = new Set(["change.applying", "change.applied", "change.failed"]);

/** Who acts, where a person does. A trim names whoever staged first as its actor; who made it acts. */
function personOf(entry: Entry): string | null {
  if (entry.type === "change.staged" && entry.data.by !== undefined) return entry.data.by;
  return entry.actor.kind === "person" ? entry.actor.id : null;
}

const MOVES: ReadonlySet<string> = new Set(Object.keys(TRANSITIONS));
const isMove = (entry: Entry): entry is Move => MOVES.has(entry.type);
const nameOf = (actor: Actor): string => `${actor.kind === "system" ? "the system" : `${actor.kind === "agent" ? "an" : "a"} ${actor.kind}`} (${actor.id})`;

/** Whether those who act are those who may: the approver of a retraction, the agent of a withdrawal, the mover of an outcome. */
function partyFault(entry: Move, life: Life): string | null {
  const { actor } = entry;
  switch (entry.type) {
    case "change.retracted":
      return life.approvals.has(actor.id) ? null : `${actor.id} takes back an approval that is not theirs`;
    case "change.withdrawn":
      return actor.kind === "agent" && actor.id !== life.agent ? `${actor.id} withdraws a change of ${life.agent ?? "a person"}` : null;
    case "change.applied":
    case "change.failed":
      if (actor.id !== life.mover) return `${actor.id} acts where ${life.mover} set it to be applied`;
      return life.state === "applying" && entry.data.attempt !== life.attempt ? `attempt ${entry.data.attempt} follows attempt ${life.attempt}` : null;
    default:
      return null;
  }
}

const unknownLife = (entry: Move, excluded: ReadonlySet<string> = new Set()): Life => ({
  id: own(entry.subject), state: "staged", revision: entry.revision, digest: own(entry.digest), excluded, required: 1, stager: entry.actor.id, agent: undefined, payment: undefined, total: 0n,
  approvals: new Map(), counted: false, mover: null, attempt: null,
});
