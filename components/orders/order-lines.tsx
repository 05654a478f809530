"use client";

import { ShopText } from "@/components/text/shop-text";
import { useState } from "react";
import type { OrderView } from "@/lib/changes/view";
import { Block } from "@/components/ui/block";
import { Button } from "@/components/ui/button";
import { Amount } from "@/components/ui/money";

const FIRST = 50;
const CELL = "num py-[3px] pl-3 align-top phone:hidden";

type Line = OrderView["lines"][number];

export function OrderLines({ order }: { order: OrderView }) {
  const [all, setAll] = useState(false);
  const { currency, lines } = order;
  const shown = all ? lines : lines.slice(0, FIRST);
  const shipping = BigInt(order.shippingMinor);
  const sum = lines.reduce((total, line) => total + BigInt(line.paidMinor), shipping);
  return (
    <Block title="Lines" aside={`${lines.length} ${lines.length === 1 ? "line" : "lines"}`}>
      <table className="two-line w-full border-collapse">
        <thead className="text-xs text-ink-2">
          <tr>
            <th scope="col" className="py-[3px] pr-2">Product</th>
            <th scope="col" className={CELL}>Quantity</th>
            <th scope="col" className={CELL}>Paid</th>
            <th scope="col" className={CELL}>Refunded</th>
            <th scope="col" className={CELL}>Held</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((line) => <LineRow key={line.id} line={line} currency={currency} />)}
          {shown.length < lines.length && <tr className="border-t border-rule"><td colSpan={5} className="py-1.5"><Button size="small" onClick={() => setAll(true)}>Show all {lines.length}</Button></td></tr>}
          {shipping > 0n && (
            <tr className="border-t border-rule">
              <th scope="row" className="py-[3px] pr-2">Shipping</th>
              <td className="phone:hidden" />
              <td className="num py-[3px] pl-3 align-top"><Amount minor={order.shippingMinor} currency={currency} /></td>
              <td className={CELL}><Taken minor={order.shippingRefundedMinor} currency={currency} /></td>
              <td className="phone:hidden" />
            </tr>
          )}
        </tbody>
        <tfoot className="text-md font-semibold">
          <tr className="border-t border-ink">
            <th scope="row" className="py-1 font-semibold">Paid in {currency}</th>
            <td className="phone:hidden" />
            <td className="num py-1 pl-3"><span className="double-ruled"><Amount minor={sum.toString()} currency={currency} /></span></td>
            <td colSpan={2} className="phone:hidden" />
          </tr>
        </tfoot>
      </table>
    </Block>
  );
}

function LineRow({ line, currency }: { line: Line; currency: string }) {
  return (
    <tr className="border-t border-rule">
      <th scope="row" className="py-[3px] pr-2 align-top [overflow-wrap:anywhere] phone:font-medium"><ShopText text={line.title} /> <span className="mono ml-1 text-ink-3 phone:hidden"><ShopText text={line.sku} /></span></th>
      <td className={CELL}>{line.quantity.toLocaleString("en-GB")}</td>
      <td className="num py-[3px] pl-3 align-top phone:text-md"><Amount minor={line.paidMinor} currency={currency} /></td>
      <td className={CELL}>{line.refundedQuantity > 0 && <span className="text-xs text-ink-2">{line.refundedQuantity} of {line.quantity}, </span>}<Taken minor={line.refundedMinor} currency={currency} /></td>
      <td className={CELL}>{line.heldMinor !== "0" && <Amount minor={line.heldMinor} currency={currency} className="text-second" />}</td>
      <td className="hidden text-xs text-ink-2 phone:block">{line.quantity} pieces, <ShopText text={line.sku} /></td>
      <td className="num hidden text-xs text-ink-2 phone:block">{line.refundedMinor !== "0" && <>refunded <Taken minor={line.refundedMinor} currency={currency} /></>}</td>
    </tr>
  );
}

function Taken({ minor, currency }: { minor: string; currency: string }) {
  return minor === "0" ? null : <Amount minor={minor} currency={currency} out className="text-money-out" />;
}
