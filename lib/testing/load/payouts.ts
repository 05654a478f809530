import { referenceOf } from "../../platforms/platform";
import { everyMerchant } from "../owner";
import type { Shop } from "./shop";

export type Payouts = {
  /** Paid twice, or without an item that was sent; or one key answered with two changes. */
  double: number;
  /** Payments whose sums do not say what was paid and is held, and logs whose total differs from what was paid. */
  unbalanced: number;
  applied: number;
  paidMinor: string;
};

type Payout = { reference: string; payment: string; amountMinor: bigint };
type Item = { reference: string; payment: string; amount: string; state: string; write: string | null };
type Sums = { payment: string; refunded: string; held: string };

/**
 * What was paid out, one by one, against the items that were sent, and payment by payment against the books. Money is `double` where a reference
 * was paid twice, or something was paid that no item sent asked for; it is `unbalanced` where the sums do not say what was paid and is held.
 */
export async function comparePayouts(shop: Shop, verdict: Payouts): Promise<void> {
  const { id } = shop.merchant;
  const paid = shop.platform ? await paidElsewhere(id, shop.platform) : await paidByStore(id);
  const items = await everyMerchant().$queryRaw<Item[]>`
    SELECT c.id || '/' || i.item AS reference, c.payment_id AS payment, i.amount::text, c.state, w.state AS write
      FROM change c CROSS JOIN LATERAL change_items(c.merchant_id, c.id) i LEFT JOIN platform_write w ON w.merchant_id = c.merchant_id AND w.change_id = c.id AND w.item = i.item WHERE c.merchant_id = ${id}`;
  const sent = new Map(items.filter(({ write }) => write !== null).map((item) => [item.reference, item]));
  const asked = ({ reference, payment, amountMinor }: Payout): boolean => sent.get(reference)?.payment === payment && sent.get(reference)?.amount === String(amountMinor);
  verdict.double += paid.length - new Set(paid.map(({ reference }) => reference)).size + paid.filter((each) => !asked(each)).length;

  const books = await everyMerchant().$queryRaw<Sums[]>`SELECT id AS payment, refunded_minor::text AS refunded, held_minor::text AS held FROM payment WHERE merchant_id = ${id}`;
  const holding = items.filter(({ state, write }) => (state === "approved" || state === "applying") && write !== "done");
  verdict.unbalanced += books.filter(({ payment, refunded, held }) =>
    BigInt(refunded) !== total(paid.filter((each) => each.payment === payment)) || BigInt(held) !== total(holding.filter((each) => each.payment === payment))).length;

  const [log] = await everyMerchant().$queryRaw<{ changes: number; total: string }[]>`
    SELECT count(*)::int AS changes, coalesce(sum((s.entry::json -> 'data' ->> 'total')::bigint), 0)::text AS total
      FROM entry a JOIN entry s ON s.merchant_id = a.merchant_id AND s.subject = a.subject AND s.revision = 1 WHERE a.merchant_id = ${id} AND a.type = 'change.applied'`;
  const unfinished = paid.filter(({ reference }) => sent.has(reference) && sent.get(reference)!.state !== "applied");
  if (BigInt(log!.total) !== total(paid) - total(unfinished)) verdict.unbalanced++;
  verdict.applied += log!.changes;
  verdict.paidMinor = String(BigInt(verdict.paidMinor) + total(paid));
}

const total = (of: readonly ({ amountMinor: bigint } | { amount: string })[]): bigint => of.reduce((sum, each) => sum + ("amount" in each ? BigInt(each.amount) : each.amountMinor), 0n);

async function paidByStore(merchantId: string): Promise<Payout[]> {
  const refunds = await everyMerchant().storeRefund.findMany({ where: { merchantId }, select: { changeId: true, item: true, paymentId: true, amountMinor: true } });
  return refunds.map(({ changeId, item, paymentId, amountMinor }) => ({ reference: referenceOf({ changeId, item }), payment: paymentId, amountMinor }));
}

async function paidElsewhere(merchantId: string, platform: NonNullable<Shop["platform"]>): Promise<Payout[]> {
  const payments = new Set((await everyMerchant().payment.findMany({ where: { merchantId }, select: { id: true } })).map(({ id }) => id));
  const { refunds } = await platform.control({});
  return refunds.filter(({ payment }) => payments.has(payment)).map(({ reference, payment, amountMinor }) => ({ reference, payment, amountMinor: BigInt(amountMinor) }));
}
