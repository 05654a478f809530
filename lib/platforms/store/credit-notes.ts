import { proportion } from "../../kernel/money";
import type { CreditLine, CreditNote, LocalTime } from "./shop";

/** A sold line that a credit may take back; `left` is what earlier credits have not taken. */
export type Sale = { order: string; row: number | null; placedAt: LocalTime; title: string; quantity: number; left: number; paidMinor: bigint };

/** A row of a credit note. `quantity` is positive. */
export type Credit = { number: string; placedAt: LocalTime; customer: string; sku: string; quantity: number };

export const saleKey = (customer: string, sku: string): string => `${customer}\n${sku}`;

/**
 * Matches each credit to one earlier sale of the same customer and product that sold at least as much: the latest that still
 * has as much left, else the latest (the shop credited it twice; whoever judges the refund should find that out).
 */
export function matchCredits(credits: readonly Credit[], sales: ReadonlyMap<string, Sale[]>): { notes: CreditNote[]; unmatched: number } {
  const notes = new Map<string, CreditNote>();
  let unmatched = 0;
  for (const credit of [...credits].sort((a, b) => (a.placedAt < b.placedAt ? -1 : a.placedAt > b.placedAt ? 1 : 0))) {
    const sale = earlierSale(credit, sales.get(saleKey(credit.customer, credit.sku)) ?? []);
    if (!sale) { unmatched++; continue; }
    sale.left -= credit.quantity;
    const { number, placedAt, customer } = credit;
    const note = notes.get(number) ?? { number, placedAt, customer, lines: [] };
    notes.set(number, note);
    note.lines.push(creditLine(sale, credit.quantity));
  }
  return { notes: [...notes.values()], unmatched };
}

function earlierSale({ quantity, placedAt }: Credit, sales: readonly Sale[]): Sale | undefined {
  const fits = sales.filter((sale) => sale.placedAt <= placedAt && sale.quantity >= quantity);
  return latest(fits.filter((sale) => sale.left >= quantity)) ?? latest(fits);
}

const latest = (sales: readonly Sale[]): Sale | undefined =>
  sales.reduce<Sale | undefined>((best, sale) => (best && best.placedAt >= sale.placedAt ? best : sale), undefined);

const creditLine = ({ order, row, title, paidMinor, quantity: sold }: Sale, quantity: number): CreditLine =>
  ({ order, row, title, quantity, amountMinor: proportion(paidMinor, quantity, sold) });
