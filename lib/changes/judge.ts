import { canonicalJson } from "../kernel/canonical-json";
import { sha256Hex } from "../kernel/digest";
import type { Verdict, Violation } from "../kernel/verdict";
import type { Reader } from "../database/transactions";
import { evaluate } from "../guardrails/evaluate";
import type { ProposedRefund, Velocity } from "../guardrails/rule";
import type { Policy } from "../guardrails/schema";
import { remainingOf, type OrderFacts } from "../platforms/store/order-facts";
import { amountOf, isLineItem, type Item } from "./content";
import { findOverdrawn, takenOf } from "./refund-items";

/** A refund to be judged: proposed (no id yet), staged, or holding its money already. */
export type Judged = { id: string | null; stagedSeq: bigint | null; by: ProposedRefund["by"]; currency: string; items: readonly Item[]; holding: boolean };
/** What a refund is judged in: `velocity` and `eligible` where it is staged, `approvedTodayMinor` where a person is about to approve it. */
export type Circumstances = { policy: Policy; paused: boolean; now: Date; velocity?: Velocity | null; eligible?: number; approvedTodayMinor?: bigint };
export type Judgement = {
  verdict: Verdict;
  violations: Violation[];
  amountMinor: bigint;
  /** What this change may still take: the payment's remainder, its own hold included. */
  remainingMinor: bigint;
  /** The figures a decision rests on, as JCS, and their digest (I5). */
  figures: string;
  factsDigest: string;
};

export const totalOf = (items: readonly Item[]): bigint => items.reduce((sum, item) => sum + amountOf(item), 0n);

/** Judges a refund on today's rules and figures; the same for staging, the screen, a decision and apply. */
export async function judge(db: Reader, merchantId: string, order: OrderFacts, change: Judged, at: Circumstances): Promise<Judgement> {
  const [row] = await db.$queryRaw<{ sum: bigint }[]>`SELECT order_refunds(${merchantId}, ${order.id}, ${change.id}::text, ${change.stagedSeq}::bigint, ${quorumSince(at.now)}) AS sum`;
  return judgeOn(order, change, row!.sum, at);
}

/** The same on figures that are read already; `otherRefunds` are those of the order that count towards the quorum beside this one. */
export function judgeOn(order: OrderFacts, change: Judged, otherRefunds: bigint, at: Circumstances): Judgement {
  const { payment } = order;
  const amountMinor = totalOf(change.items);
  const remainingMinor = remainingOf(payment) + (change.holding ? amountMinor : 0n);
  const { verdict, violations } = evaluate(
    at.policy,
    { by: change.by, currency: change.currency, amountMinor, items: change.items.length, overdrawn: findOverdrawn(change.items, order, { held: change.holding }) },
    {
      now: at.now, paused: at.paused, paidAt: payment.paidAt, capturedMinor: payment.capturedMinor, remainingMinor,
      takenMinor: payment.refundedMinor + payment.heldMinor - (change.holding ? amountMinor : 0n), orderTotalMinor: otherRefunds + amountMinor,
      velocity: at.velocity ?? null, eligible: at.eligible ?? null, approvedTodayMinor: at.approvedTodayMinor ?? null,
    },
  );
  const figures = figuresOf(order, change.items, verdict);
  return { verdict, violations, amountMinor, remainingMinor, figures, factsDigest: sha256Hex(figures) };
}

const THIRTY_DAYS = 30 * 24 * 60 * 60 * 1000;

/** Refunds paid out since then count towards an order's quorum. */
export const quorumSince = (now: Date): Date => new Date(now.getTime() - THIRTY_DAYS);

function figuresOf(order: OrderFacts, items: readonly Item[], { policy, required }: Verdict): string {
  const { payment } = order;
  const taken = (item: Item): bigint | null => {
    if (item.field === "shipping") return order.shippingRefundedMinor + order.shippingHeldMinor;
    const line = isLineItem(item) && order.lines.find(({ id }) => id === item.target);
    return line ? takenOf(line) : null;
  };
  const lines = items.map((item) => [item.target, taken(item)] as const).filter(([, of]) => of !== null).map(([id, of]) => [id, String(of)]);
  return canonicalJson({
    payment: payment.id, captured: String(payment.capturedMinor), disputed: String(payment.disputedMinor),
    taken: String(payment.refundedMinor + payment.heldMinor), policy, required, lines,
  });
}
