"use client";

import { useState } from "react";
import type { OrderView } from "@/lib/changes/view";
import { ShopText } from "@/components/text/shop-text";
import { Button } from "@/components/ui/button";
import { Glyph } from "@/components/ui/glyph";
import { moneyText } from "@/components/ui/money";
import { piecesLeft, type Restock, type Sum, type Typed } from "./propose-state";

const FIRST = 50;
const BOX = "h-8 rounded-t-1 border border-b-2 border-rule-strong border-b-ink bg-field px-2 text-lg tabular-nums aria-invalid:border-failed disabled:opacity-60 coarse:h-11";

type Props = { order: OrderView; typed: Typed; sum: Sum; errorOf: (lineId: string) => string | undefined; onChange: (typed: Typed) => void };

/** Each line with how many of its pieces go back, and whether they come back. */
export function ProposeLines({ order, typed, sum, errorOf, onChange }: Props) {
  const [all, setAll] = useState(false);
  const shown = all ? order.lines : order.lines.slice(0, FIRST);
  return (
    <table className="w-full border-collapse">
      <thead className="text-xs text-ink-2">
        <tr>
          <th scope="col" className="py-1 pr-2">Product</th>
          <th scope="col" className="py-1 pl-3">Pieces, restock</th>
          <th scope="col" className="num py-1 pl-3">Refund</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((line) => {
          const left = piecesLeft(line);
          const error = sum.wrong[line.id] ?? errorOf(line.id);
          const amount = sum.amounts[line.id];
          const restock = amount !== undefined && (
            <select aria-label={`Restock ${line.title}`} value={typed.restock[line.id] ?? "none"} onChange={(event) => onChange({ ...typed, restock: { ...typed.restock, [line.id]: event.target.value as Restock } })} className={BOX}>
              <option value="none">none</option>
              <option value="returned">returned</option>
              <option value="cancelled">cancelled</option>
            </select>
          );
          return (
            <tr key={line.id} className="border-t border-rule align-top">
              <th scope="row" className="py-1 pr-2 font-normal [overflow-wrap:anywhere]">
                <ShopText text={line.title} />
                <span className="block text-xs text-ink-2">{left} of {line.quantity} left, {moneyText(line.paidMinor, order.currency)} paid</span>
              </th>
              <td className="py-1 pl-3">
                <span className="flex flex-wrap gap-2"><input aria-label={`Pieces of ${line.title}`} inputMode="numeric" autoComplete="off" disabled={left === 0} value={typed.pieces[line.id] ?? ""} placeholder="0" aria-invalid={error ? true : undefined} aria-describedby={error ? `wrong-${line.id}` : undefined}
                  onChange={(event) => onChange({ ...typed, pieces: { ...typed.pieces, [line.id]: event.target.value } })} className={`${BOX} w-20`} />{restock}</span>
                {error && <p id={`wrong-${line.id}`} className="mt-1.5 flex gap-1 text-xs text-failed"><Glyph name="warning" />{error}</p>}
              </td>
              <td className="num py-1.5 pl-3 font-medium text-money-out">{amount !== undefined && moneyText(String(amount), order.currency, true)}</td>
            </tr>
          );
        })}
        {shown.length < order.lines.length && <tr className="border-t border-rule"><td colSpan={3} className="py-1.5"><Button size="small" onClick={() => setAll(true)}>Show all {order.lines.length}</Button></td></tr>}
      </tbody>
    </table>
  );
}
