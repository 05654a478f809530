import type { Verdict } from "../kernel/verdict";
import type { RefusalCode } from "../kernel/refusal";
import type { ChangeState } from "./lifecycle";

// What the console's screens read, over JSON: amounts are strings of minor units, times RFC 3339.

export const VIEWS = ["waiting", "second", "attention", "scheduled", "expired"] as const;
/** Waiting for me, Second approval, Needs attention, Scheduled, Expired. */
export type ViewName = (typeof VIEWS)[number];

export type QueueRow = {
  id: string;
  state: ChangeState;
  orderNumber: string;
  customer: string;
  currency: string;
  amountMinor: string;
  reason: string;
  /** The largest line's title, and how many lines stand behind it. */
  headline: string;
  moreLines: number;
  required: number;
  have: number;
  stagedAt: string;
  expiresAt: string;
  /** When an approval takes effect; null where it has no time, or is none. */
  effectiveAt: string | null;
  /** Who rejected one like it within 90 days before. */
  rejectedBefore: string | null;
};
export type HistoryRow = QueueRow & {
  /** The last entry about it: when, by whom, and its code or cause in words. */
  endedAt: string;
  endedBy: string;
  why: string | null;
  /** Who signed or rejected, in order. */
  deciders: string[];
};
/** What lists can be narrowed by, by name. */
export type FilterChoices = { agents: { id: string; name: string }[]; people: { id: string; name: string }[]; currencies: string[] };
export type HistorySums = { count: number; sums: { currency: string; count: number; amountMinor: string }[] };
export type HistoryPage = { items: HistoryRow[]; nextCursor: string | null };

export type QueuePage = { items: QueueRow[]; nextCursor: string | null; counts: Record<ViewName, number>; lastDecisionAt: string | null };

export type DiffLine = {
  target: string;
  kind: "line" | "shipping" | "payment";
  title: string;
  sku: string | null;
  /** Units of this change, and of the order line; null for shipping and amounts. */
  quantity: number | null;
  ofQuantity: number | null;
  /** Units of the order line that are refunded or held now. */
  takenUnits: number | null;
  paidMinor: string;
  /** Refunded or held before this change: now, while it can be decided; as proposed once it is decided. */
  beforeMinor: string;
  afterMinor: string;
  /** What `beforeMinor` was when it was proposed, where that has moved. */
  proposedBeforeMinor: string | null;
  amountMinor: string;
  restock: "none" | "returned" | "cancelled" | null;
};

export type PaymentView = {
  id: string;
  capturedMinor: string;
  refundedMinor: string;
  /** Held by other changes (this change's own hold is shown as this change). */
  heldMinor: string;
  disputedMinor: string;
  stagedElsewhereMinor: string;
  remainsAfterMinor: string;
};

export type OrderBeside = {
  id: string;
  number: string;
  placedAt: string;
  lines: number;
  pieces: number;
  paidMinor: string;
  otherRefunds: number;
  otherRefundsMinor: string;
};
export type CustomerBeside = {
  id: string | null;
  name: string;
  country: string | null;
  orders: number;
  ordersMinor: string;
  refunds: number;
  refundsMinor: string;
};
export type AgentBeside = { id: string; name: string; applied: number; rejected: number; failed: number; keyMadeBy: string };

/** Another change that is staged or held against the same payment, with who signed it so far. */
export type Conflict = { id: string; state: ChangeState; amountMinor: string; stager: string; signers: string[]; required: number; have: number };
/** One like it that a person rejected within 90 days before it was proposed. `reason` is null where the text is erased. */
export type Reproposed = { changeId: string; amountMinor: string; name: string; at: string; reason: string | null };
/** Why a person may not approve a change: of it or of what it replaces, of its key. */
export type MayNot = { personId: string; name: string; because: ("proposed" | "owns_key" | "made_key" | "rotated_key" | "had_key")[] };
export type OriginView = {
  /** The agent or the person that proposed it. */
  stager: string;
  byPerson: boolean;
  /** Who lowered it. */
  trimmedBy: string | null;
  replaces: string | null;
  replacedBy: { id: string; trimmedBy: string | null } | null;
};

export type Signature = { personId: string; name: string; at: string; leafHash: string; mine: boolean };

export type EntryView = {
  seq: number;
  type: string;
  at: string;
  /** Name of the person, agent or system that acted. */
  who: string;
  /** For an agent: the owner of its key. */
  whoFor: string | null;
  /** What the entry is about, in a reader's words: the order number of a change, or the id. */
  about: string;
  /** Link target of `about`, if it has a page. */
  changeId: string | null;
  /** Short, without personal data: "1 of 2", the cap that was broken, a cause. */
  detail: string | null;
  amountMinor: string | null;
  currency: string | null;
  /** 64 hex digits. */
  leafHash: string;
  /** The entry's exact bytes. */
  bytes: string;
};

export type ChangeView = {
  id: string;
  kind: "refund";
  state: ChangeState;
  revision: number;
  digest: string;
  factsDigest: string;
  /** The figures that `factsDigest` digests, to be sent back with an approval: what moved is told against them. */
  figures: string;
  summary: string;
  reason: string;
  note: string | null;
  evidence: { label: string; text: string }[];
  currency: string;
  amountMinor: string;
  stagedAt: string;
  expiresAt: string;
  lines: DiffLine[];
  orderLines: number;
  payment: PaymentView;
  /** Judged now, on today's policy and figures. */
  verdict: Verdict;
  required: number;
  have: number;
  signatures: Signature[];
  entries: EntryView[];
  order: OrderBeside;
  customer: CustomerBeside;
  /** Null where a person proposed it. */
  agent: AgentBeside | null;
  origin: OriginView;
  mayNot: MayNot[];
  conflicts: Conflict[];
  reproposed: Reproposed | null;
  /** What moved since it was proposed, figure by figure, as long as it can be decided. */
  sinceProposed: { label: string; was: string; now: string }[];
  /** Why a person rejected it, where it was rejected and the text is not erased. */
  rejection: { name: string; at: string; reason: string | null } | null;
  failure: { at: string; cause: string; rule: string | null; cap: string | null; actual: string | null } | null;
  /** What was paid out of it so far: all of an applied change, a part where the platform refused an item after others were done. */
  paidMinor: string;
  /** Set while its items are being sent. `unclear`: an answer was lost, and the platform is being asked what happened. */
  applying: { since: string; done: number; items: number; unclear: boolean } | null;
  /** Set while an approval waits for a time that a person chose, or for one to be chosen (`at` null). */
  schedule: { at: string | null; local: string; zone: string; by: string; mayChange: boolean } | null;
  /** Set while an approval has not yet taken effect; without a time where none is set. */
  undo: { effectiveAt: string | null; mine: boolean } | null;
  viewer: {
    personId: string;
    name: string;
    mayDecide: boolean;
    /** Why this viewer may not approve now; null where they may. */
    blocker: RefusalCode | null;
    /** Names of those who may, where the viewer may not. */
    whoCan: string[];
  };
};

/** What a decision's server action answers. `change` carries the entry that was written: ink follows it. */
export type DecisionState =
  | { status: "idle" }
  | { status: "done"; verb: "approve" | "endorse" | "schedule" | "reject" | "retract" | "retry" | "withdraw"; message: string; changeId: string; leafHash: string; effectiveAt: string | null; at: string }
  | {
      status: "refused";
      code: RefusalCode;
      message: string;
      /** Old and new figures of `facts_moved`, `change_moved`, `exceeds_refundable`. */
      moved: { label: string; was: string; now: string }[];
      fields: Record<string, string[]>;
      values: Record<string, string>;
      changeId: string | null;
      /** Of a fault: its request's id. Then it is not known whether it was written. */
      reference?: string;
    };

export type OrderRow = {
  id: string; number: string; placedAt: string; customer: string; lines: number; pieces: number; currency: string;
  capturedMinor: string; refundedMinor: string; heldMinor: string; stagedMinor: string;
};
export type OrderPage = { items: OrderRow[]; nextCursor: string | null };
export type OrderView = {
  id: string; number: string; placedAt: string; currency: string;
  customer: CustomerBeside;
  lines: { id: string; title: string; sku: string; quantity: number; paidMinor: string; refundedMinor: string; heldMinor: string; refundedQuantity: number; heldQuantity: number }[];
  shippingMinor: string;
  shippingRefundedMinor: string;
  shippingHeldMinor: string;
  /** What the viewer may propose, null where their role proposes nothing: the cap of one proposal, where there is one, and what refuses any. */
  proposal: { capMinor: string | null; refused: "paused" | "no_cap_for_currency" | null } | null;
  payment: { id: string; capturedMinor: string; refundedMinor: string; heldMinor: string; disputedMinor: string; stagedMinor: string; refundableMinor: string };
  changes: QueueRow[];
  /** What of them is staged or held now. */
  conflicts: Conflict[];
  /** `reference` is the platform's, of the first item. */
  refunds: { reference: string; changeId: string; at: string; amountMinor: string }[];
};

export type AuditView = {
  log: string;
  size: number;
  openedAt: string;
  entries: EntryView[];
  nextBefore: number | null;
  /** The last fsck of this merchant, if one ran. */
  check: { at: string; entries: number; findings: number } | null;
  totals: { day: string; currency: string; approvedMinor: string; appliedMinor: string; storeMinor: string }[];
};
