import type { Content } from "./content";
import { own } from "./entry";

type Trim = { of: string; by: string; approvals: number[] };
type Item = Content["items"][number];

/** Changes that an approver lowered, as far as entries tell: whether that is all they did, only the contents show. */
export class Trims {
  private readonly made = new Map<string, Trim>();
  private readonly lowered = new Set<string>();
  private readonly contents = new Map<string, Content>();

  add(change: string, of: string, by: string): void {
    this.made.set(own(change), { of: own(of), by: own(by), approvals: [] });
    this.lowered.add(own(of));
  }

  approved(change: string, person: string, seq: number): void {
    const trim = this.made.get(change);
    if (trim?.by === person) trim.approvals.push(seq);
  }

  /** A content as it was staged. */
  content(change: string, bytes: string): void {
    if (this.made.has(change) || this.lowered.has(change)) this.contents.set(own(change), JSON.parse(bytes) as Content);
  }

  /** After the last content: approvals by those who did more than lower, and so are stagers. */
  *selfApprovals(): Generator<{ seq: number; detail: string }> {
    for (const [change, { of, by, approvals }] of this.made) {
      const [old, now] = [this.contents.get(of), this.contents.get(change)];
      const fault = old && now ? otherEdit(old, now) : null;
      if (fault) for (const seq of approvals) yield { seq, detail: `${by} did more than lower ${of}: ${fault}` };
    }
  }
}

const amountOf = ({ before, after }: Item): bigint => BigInt(after) - BigInt(before ?? "0");

/** What differs beside less being asked for, or null. That the total is less, the entries tell. */
function otherEdit(old: Content, now: Content): string | null {
  for (const member of ["kind", "currency", "order"] as const) if (old[member] !== now[member]) return `its ${member} is ${now[member]}, and was ${old[member]}`;
  const left = [...old.items];
  for (const item of now.items) {
    const at = left.findIndex(({ target, field }) => target === item.target && field === item.field);
    const [was] = at < 0 ? [] : left.splice(at, 1); // each once
    if (!was) return `${item.target} ${item.field} was not proposed`;
    if (amountOf(item) > amountOf(was)) return `${item.target} ${item.field} is ${amountOf(item)}, and was ${amountOf(was)}`;
    const [quantity, most] = [item.quantity ?? null, was.quantity ?? null];
    if ((quantity === null) !== (most === null) || quantity! > most!) return `${item.target} has quantity ${quantity}, and had ${most}`;
    if ((item.restock ?? null) !== (was.restock ?? null)) return `${item.target} is restocked otherwise`;
  }
  return null;
}
