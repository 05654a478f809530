import { canonicalJson } from "../kernel/canonical-json";
import { sha256Hex } from "../kernel/digest";
import type { Verdict, Violation } from "../kernel/verdict";
import type { Reader } from "../database/transactions";
import { evaluate } from "../guardrails/evaluate";
import type { Policy } from "../guardrails/schema";
import { remainingOf, type OrderFacts } from "../platforms/store/order-facts";
import { amountOf, isLineItem, type Item } from "./content";
import { findOverdrawn, takenOf } from "./refund-items";

/** A refund to be judged: proposed (no id yet), staged, or holding its money already. */
export type Judged = { id: string | null; stagedSeq: bigint | null; currency: string; items: readonly Item[]; holding: boolean };
export type Circumstances = { policy: Policy; paused: boolean; now: Date };
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
  const amountMinor = totalOf(change.items);
  const remainingMinor = remainingOf(order.payment) + (change.holding ? amountMinor : 0n);
  const others = await otherRefunds(db, merchantId, order.id, change, at.now);
  const { verdict, violations } = evaluate(
    at.policy,
    { currency: change.currency, amountMinor, items: change.items.length, overdrawn: findOverdrawn(change.items, order, { held: change.holding }) },
    { now: at.now, paused: at.paused, paidAt: order.payment.paidAt, remainingMinor, orderTotalMinor: others + amountMinor },
  );
  const figures = figuresOf(order, change.items, verdict);
  return { verdict, violations, amountMinor, remainingMinor, figures, factsDigest: sha256Hex(figures) };
}

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

const THIRTY_DAYS = 30 * 24 * 60 * 60 * 1000;

/** The order's other refunds that count towards the quorum: applied in the last 30 days, held, or staged before this one. */
async function otherRefunds(db: Reader, merchantId: string, orderId: string, change: Judged, now: Date): Promise<bigint> {
  const since = new Date(now.getTime() - THIRTY_DAYS);
  const [row] = await db.$queryRaw<{ sum: bigint }[]>`
    SELECT ((SELECT coalesce(sum(w.amount_minor), 0) FROM change c JOIN platform_write w ON w.merchant_id = c.merchant_id AND w.change_id = c.id
              WHERE c.order_id = ${orderId} AND c.merchant_id = ${merchantId} AND c.id IS DISTINCT FROM ${change.id}::text
                AND c.state NOT IN ('approved','applying') AND w.state = 'done' AND w.done_at > ${since})
          + (SELECT coalesce(sum(c.amount_minor), 0) FROM change c WHERE c.order_id = ${orderId} AND c.merchant_id = ${merchantId} AND c.id IS DISTINCT FROM ${change.id}::text
               AND (c.state IN ('approved','applying') OR c.state = 'staged' AND (${change.stagedSeq}::bigint IS NULL OR c.staged_seq < ${change.stagedSeq}::bigint))))::bigint AS sum`;
  return row!.sum;
}
