import type { RefusalCode } from "../../kernel/refusal";
import type { Shop } from "./shop";

/** A staging as it is sent, the same for every try. */
export type Proposal = { shop: Shop; key: string; session: string; body: string };
export type Acknowledged = { shop: Shop; changeId: string };

/** What callers were told. A trial is one operation, however often it was sent; `cut` are those whose first answer was lost or a 5xx. */
export class Books {
  trials = 0;
  ended = 0;
  cut = 0;
  inFlight = 0;
  /** In flight at the instants of kills. */
  underKill = 0;
  readonly staged = new Map<Proposal, string>();
  readonly approved: Acknowledged[] = [];
  /** Given up without an answer. */
  readonly abandoned: Proposal[] = [];
  /** Staged and not yet taken up by somebody who decides. */
  readonly open: Acknowledged[] = [];
  readonly refused = new Map<RefusalCode | "unanswered", number>();
  readonly faults = new Map<string, number>();
  /** Two answers under one key that name two changes. */
  contradicted = 0;

  acknowledge(proposal: Proposal, changeId: string): void {
    const before = this.staged.get(proposal);
    if (before !== undefined && before !== changeId) this.contradicted++;
    if (before !== undefined) return;
    this.staged.set(proposal, changeId);
    this.open.push({ shop: proposal.shop, changeId });
  }

  refuse(code: RefusalCode | "unanswered"): void {
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
  }

  fault(what: string): void {
    this.faults.set(what, (this.faults.get(what) ?? 0) + 1);
  }
}
