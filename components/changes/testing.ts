import type { ChangeView, DecisionState, EntryView, QueuePage, QueueRow } from "@/lib/changes/view";

// Changes for the tests of these screens.

const LEAF = "13a37e89af2d5a2845c30c1e895ca8cab6042c628d5e5aae844e10c0a96a25e8";
const STAGED = "2026-11-30T14:03:05.551Z";
const EXPIRES = "2026-12-07T14:03:05.551Z";

const staged: EntryView = {
  seq: 4797, type: "change.staged", at: STAGED, who: "returns-desk", whoFor: "Ines Carvalho", about: "537332", changeId: "chg-aaaaaaaaaa",
  detail: null, amountMinor: "4500", currency: "GBP", leafHash: "5".repeat(64), bytes: "{}",
};

const aRow = (id: string): QueueRow => ({
  id, state: "staged", orderNumber: `53733${id.at(-1)}`, customer: "Customer 14344", currency: "GBP", amountMinor: "4500", reason: "damaged",
  headline: "REGENCY CAKESTAND", moreLines: 0, required: 1, have: 0, stagedAt: STAGED, expiresAt: EXPIRES, effectiveAt: null, rejectedBefore: null,
});

export const aPage = (ids: readonly string[]): QueuePage => ({ items: ids.map(aRow), nextCursor: null, counts: { waiting: ids.length, second: 0, attention: 0, scheduled: 0, expired: 0 }, lastDecisionAt: null });

export const aChange = (over: Partial<ChangeView> = {}): ChangeView => ({
  id: "chg-aaaaaaaaaa", kind: "refund", state: "staged", revision: 1, digest: "d".repeat(64), factsDigest: "f".repeat(64), figures: "{}", summary: "", reason: "damaged",
  note: null, evidence: [], currency: "GBP", amountMinor: "4500", stagedAt: STAGED, expiresAt: EXPIRES,
  lines: [{ target: "lin-1", kind: "line", title: "REGENCY CAKESTAND", sku: "22423", quantity: 1, ofQuantity: 2, takenUnits: 0, paidMinor: "9000", beforeMinor: "0", proposedBeforeMinor: null, afterMinor: "4500", amountMinor: "4500", restock: "none" }],
  orderLines: 3, payment: { id: "pay-aaaaaaaaaa", capturedMinor: "10000", refundedMinor: "0", heldMinor: "0", disputedMinor: "0", stagedElsewhereMinor: "0", remainsAfterMinor: "5500" },
  verdict: { outcome: "needs_approvals", required: 1, policy: 1, rules: [] }, required: 1, have: 0, signatures: [], entries: [staged],
  order: { id: "ord-aaaaaaaaaa", number: `53733${(over.id ?? "2").at(-1)}`, placedAt: STAGED, lines: 3, pieces: 5, paidMinor: "10000", otherRefunds: 0, otherRefundsMinor: "0" },
  customer: { id: null, name: "Customer 14344", country: null, orders: 1, ordersMinor: "10000", refunds: 0, refundsMinor: "0" },
  agent: { id: "agt-aaaaaaaaaa", name: "returns-desk", applied: 0, rejected: 0, failed: 0, keyMadeBy: "Ines Carvalho" },
  origin: { stager: "returns-desk", byPerson: false, trimmedBy: null, replaces: null, replacedBy: null },
  mayNot: [{ personId: "per-ines", name: "Ines Carvalho", because: ["owns_key", "made_key"] }], conflicts: [], reproposed: null, sinceProposed: [],
  rejection: null, failure: null, applying: null, paidMinor: "0", schedule: null, undo: null,
  viewer: { personId: "per-tom", name: "Tom Adeyemi", mayDecide: true, blocker: null, whoCan: [] },
  ...over,
});

type Done = Extract<DecisionState, { status: "done" }>;
type Refused = Extract<DecisionState, { status: "refused" }>;

export const done = (over: Partial<Done> = {}): Done => ({ status: "done", verb: "approve", message: "", changeId: "chg-aaaaaaaaaa", leafHash: LEAF, effectiveAt: new Date(Date.now() + 8000).toISOString(), at: new Date().toISOString(), ...over });

export const refused = (over: Partial<Refused> = {}): Refused => ({
  status: "refused", code: "facts_moved", message: "The figures moved while you were looking at them", moved: [{ label: "Remaining", was: "£100.00", now: "£40.00" }], fields: {}, values: {}, changeId: "chg-aaaaaaaaaa", ...over,
});
