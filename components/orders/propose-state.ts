import { priceOf } from "@/lib/changes/line-price";
import type { OrderView } from "@/lib/changes/view";
import { amountIn } from "@/lib/kernel/money";

type Line = OrderView["lines"][number];
export type Restock = "none" | "returned" | "cancelled";
export type By = "lines" | "amount";
/** The form as it is typed: pieces and restock by line, amounts as decimals. */
export type Typed = { by: By; pieces: Record<string, string>; restock: Record<string, Restock>; shipping: string; amount: string };
export type ChosenLine = { lineId: string; quantity: number; restock: Restock };

/** What the form comes to: the lines to send, the sum in minor units, and what is wrong with what was typed, by line or field. */
export type Sum = { lines: ChosenLine[]; totalMinor: bigint; amounts: Record<string, bigint>; wrong: Record<string, string> };

export const piecesLeft = (line: Line): number => line.quantity - line.refundedQuantity - line.heldQuantity;

/** As the server will count it; it decides. */
export function sumOf(order: OrderView, typed: Typed): Sum {
  const sum: Sum = { lines: [], totalMinor: 0n, amounts: {}, wrong: {} };
  const { currency } = order;
  const money = (field: "amount" | "shipping", left: bigint) => {
    const amount = typed[field].trim() === "" ? 0n : amountIn(typed[field], currency);
    if (amount === null) sum.wrong[field] = `Not an amount in ${currency}`;
    else if (amount > left) sum.wrong[field] = "More than is left";
    else sum.totalMinor += amount;
  };
  if (typed.by === "amount") {
    money("amount", BigInt(order.payment.refundableMinor));
    return sum;
  }
  for (const line of order.lines) addLine(sum, line, typed);
  money("shipping", BigInt(order.shippingMinor) - BigInt(order.shippingRefundedMinor) - BigInt(order.shippingHeldMinor));
  return sum;
}

function addLine(sum: Sum, line: Line, { pieces, restock }: Typed): void {
  const text = (pieces[line.id] ?? "").trim();
  if (text === "" || /^0+$/.test(text)) return;
  const left = piecesLeft(line);
  if (!/^\d{1,7}$/.test(text)) sum.wrong[line.id] = "Give a whole number";
  else if (Number(text) > left) sum.wrong[line.id] = left === 0 ? "None is left" : `Only ${left} ${left === 1 ? "is" : "are"} left`;
  if (sum.wrong[line.id]) return;
  const quantity = Number(text);
  const taken = { takenMinor: BigInt(line.refundedMinor) + BigInt(line.heldMinor), takenUnits: line.refundedQuantity + line.heldQuantity };
  const amount = priceOf({ quantity: line.quantity, paidMinor: BigInt(line.paidMinor), ...taken }, quantity);
  sum.amounts[line.id] = amount;
  sum.totalMinor += amount;
  sum.lines.push({ lineId: line.id, quantity, restock: restock[line.id] ?? "none" });
}
