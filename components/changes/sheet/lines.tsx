"use client";

import { ShopText } from "@/components/text/shop-text";
import { useState } from "react";
import type { ChangeView, DiffLine } from "@/lib/changes/view";
import { Block } from "@/components/ui/block";
import { Button } from "@/components/ui/button";
import { Glyph } from "@/components/ui/glyph";
import { Amount } from "@/components/ui/money";
import { largestFirst, outliersOf } from "./outliers";

/** As many as are shown at once. What is behind is counted, and one press away. */
const FIRST = 25;

export function Lines({ change }: { change: ChangeView }) {
  const [all, setAll] = useState(false);
  const sorted = largestFirst(change.lines);
  const outliers = outliersOf(change.lines);
  const shown = all ? sorted : sorted.slice(0, FIRST);
  const { currency } = change;
  // Of a long change the head and the sum stay in sight.
  const long = sorted.length > FIRST;
  return (
    <Block title="Lines" aside={`${counted(change)}, largest first`}>
      <table className="two-line w-full border-collapse">
        <thead className={`text-xs text-ink-2 ${long ? "sticky top-0 z-1 bg-sheet shadow-[inset_0_-1px_0_var(--u-rule)] one:top-12" : ""}`}>
          <tr>
            <th scope="col" className="py-[5px] pr-2">Product</th>
            <th scope="col" className="num py-1 pl-3">Quantity</th>
            <th scope="col" className="num py-1 pl-3">Paid</th>
            <th scope="colgroup" colSpan={3} className="num py-1 pl-3">Refunded, before → after</th>
            <th scope="col" className="num py-1 pl-3">This change</th>
            <th scope="col" className="w-20 py-1 pl-4">Restock</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((line) => <LineRow key={`${line.kind} ${line.target}`} line={line} currency={currency} outlier={outliers.has(line.target)} />)}
        </tbody>
        <tfoot className={`text-md font-semibold ${long ? "sticky bottom-0 z-1 bg-sheet shadow-[inset_0_1px_0_var(--u-ink)] one:static one:shadow-none" : ""}`}>
          {shown.length < sorted.length && (
            <tr className="border-t border-rule font-normal">
              <td colSpan={8} className="py-1.5"><Button size="small" onClick={() => setAll(true)}>Show all {sorted.length}</Button></td>
            </tr>
          )}
          <tr className="border-t border-ink">
            <th scope="row" className="py-1 font-semibold">Refund in {currency}</th>
            <td colSpan={5} className="phone:hidden" />
            <td className="num py-1 pl-3 text-money-out"><span className="double-ruled"><Amount minor={change.amountMinor} currency={currency} out /></span></td>
            <td className="phone:hidden" />
          </tr>
        </tfoot>
      </table>
    </Block>
  );
}

function counted(change: ChangeView): string {
  const products = change.lines.filter((line) => line.kind === "line").length;
  return products > 0 ? `${products} of ${change.orderLines} ${change.orderLines === 1 ? "line" : "lines"}` : "an amount, not by lines";
}

const CELL = "num py-[3px] pl-3 align-top";

function LineRow({ line, currency, outlier }: { line: DiffLine; currency: string; outlier: boolean }) {
  const restock = line.restock ?? (line.kind === "line" ? "none" : "");
  const quantity = line.quantity !== null && line.ofQuantity !== null ? `${line.quantity} of ${line.ofQuantity}` : "";
  return (
    <tr className="border-t border-rule">
      <th scope="row" className="py-[3px] pr-2 align-top [overflow-wrap:anywhere] phone:font-medium">
        <ShopText text={line.title} />
        {line.sku && <span className="mono ml-2 text-ink-3 phone:hidden">{line.sku}</span>}
        {line.proposedBeforeMinor !== null && <span className="block text-xs text-mark">refunded or held meanwhile: <Amount minor={line.proposedBeforeMinor} currency={currency} /> when it was proposed</span>}
        {BigInt(line.afterMinor) > BigInt(line.paidMinor) && <span className="block text-xs font-medium text-failed"><Glyph name="warning" className="mr-1 size-3.5" />more than is left of this line</span>}
        {outlier && " "}
        {outlier && <span className="inline-flex items-center gap-1 text-xs font-medium text-mark"><Glyph name="warning" className="size-3.5" />far above the rest</span>}
      </th>
      <td className={`${CELL} phone:hidden`}>{quantity}</td>
      <td className={`${CELL} phone:hidden`}><Amount minor={line.paidMinor} currency={currency} /></td>
      <td className={`${CELL} text-ink-3 phone:hidden`}><Amount minor={line.beforeMinor} currency={currency} /></td>
      <td className="py-[3px] pl-2 align-top text-ink-3 phone:hidden">→</td>
      <td className={`${CELL} phone:hidden`}><Amount minor={line.afterMinor} currency={currency} /></td>
      <td className={`${CELL} font-semibold text-money-out phone:text-md`}><Amount minor={line.amountMinor} currency={currency} out /></td>
      <td className="py-[3px] pl-4 align-top whitespace-nowrap text-ink-2 phone:hidden">{restock}</td>
      <td className="hidden text-xs text-ink-2 phone:block">{[quantity, line.sku, restock && `restock: ${restock}`].filter(Boolean).join(", ")}</td>
      <td className="num hidden text-xs text-ink-2 phone:block">
        <Amount minor={line.beforeMinor} currency={currency} /> → <Amount minor={line.afterMinor} currency={currency} /> of <Amount minor={line.paidMinor} currency={currency} />
      </td>
    </tr>
  );
}
