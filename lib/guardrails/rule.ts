import type { RuleResult, Violation } from "../kernel/verdict";
import type { PublishedRules } from "./schema";

/** What is proposed, as far as a rule cares. */
export type ProposedRefund = {
  /** A person's own proposals have a cap of their own. */
  by: "agent" | "person";
  currency: string;
  amountMinor: bigint;
  items: number;
  /** Parts that ask for more of a line or of shipping than is left of it, and targets named twice. */
  overdrawn: readonly Violation[];
};

/** What the agent staged on this day of the merchant's, whatever became of it, and how many of its changes wait. */
export type Velocity = { changes: number; refundMinor: bigint; pending: number };

/** The live figures a refund is judged on. */
export type RefundFacts = {
  now: Date;
  paused: boolean;
  paidAt: Date;
  capturedMinor: bigint;
  /** Captured − refunded − disputed − held by other changes. May be negative. */
  remainingMinor: bigint;
  /** Refunded or held of the payment by other changes. */
  takenMinor: bigint;
  /** The order's refunds of the last 30 days: applied, held, staged earlier, and this one. */
  orderTotalMinor: bigint;
  /** Judged where an agent stages; null elsewhere. */
  velocity: Velocity | null;
  /** How many members may approve it: judged where it is staged; null elsewhere. */
  eligible: number | null;
  /** What the person who is about to approve has put forward today: judged at an approval; null elsewhere. */
  approvedTodayMinor: bigint | null;
};

/** A rule's finding; null where the rule has nothing to say. `path` names the input that broke it. */
export type Finding = (RuleResult & { path: string }) | null;
export type Rule = (rules: PublishedRules, change: ProposedRefund, facts: RefundFacts) => Finding;
