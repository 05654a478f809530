"use client";

import { ShopText } from "@/components/text/shop-text";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { OrderView } from "@/lib/changes/view";
import { orderQuery } from "@/lib/browser/queries";
import { CustomerPart } from "@/components/changes/sheet/beside";
import { Conflicts } from "@/components/changes/conflicts";
import { changePath } from "@/components/changes/paths";
import { plainCode } from "@/components/changes/words";
import { StateBadge } from "@/components/marks/state";
import { PaymentStanding } from "@/components/payment/standing";
import type { Part } from "@/components/payment/purse";
import { Block } from "@/components/ui/block";
import { Glyph } from "@/components/ui/glyph";
import { Money } from "@/components/ui/money";
import { Time } from "@/components/ui/time";
import { OrderLines } from "./order-lines";
import { ProposeRefund } from "./propose";
import type { Propose } from "./propose-form";

/** An order as the store has it: what was paid, what went back, and what is proposed. */
export function OrderSheet({ id, initial, propose }: { id: string; initial: OrderView; propose: Propose }) {
  const { data: order } = useQuery({ ...orderQuery(id), initialData: initial });
  const { currency } = order;
  return (
    <main id="content" className="grid min-h-[calc(100dvh-var(--u-bar))] grid-cols-[minmax(0,1fr)_18.5rem] bg-sheet mid:grid-cols-1 mid:content-start">
      <div className="min-w-0 px-6 pt-4 pb-8 one:px-4">
        <Link href="/orders" className="inline-flex min-h-6 items-center gap-1 text-sign hover:text-sign-strong"><Glyph name="back" />Orders</Link>
        <header className="mt-1 flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
          <div>
            <h1 className="text-xl font-semibold tracking-[-0.01em]">Order {order.number}</h1>
            <p className="text-ink-2"><ShopText text={order.customer.name} />, placed <Time at={order.placedAt} as="dateMinute" /></p>
          </div>
          <p className="text-right phone:text-left">
            <Money minor={order.payment.capturedMinor} currency={currency} className="block text-2xl font-semibold tracking-[-0.02em] tabular-nums" />
            <span className="text-ink-2">{currency}, paid</span>
          </p>
        </header>
        <OrderPayment order={order} />
        <ProposeRefund order={order} propose={propose} />
        <OrderLines order={order} />
        {order.conflicts.length > 0 && <Block id="staged" title="Staged or held against this payment"><div className="mt-1.5 max-w-96"><Conflicts conflicts={order.conflicts} currency={currency} /></div></Block>}
        <OrderChanges order={order} />
        <OrderRefunds order={order} />
      </div>
      <aside aria-label="Context" className="border-l border-rule px-4 py-4 mid:border-t mid:border-l-0 mid:px-6 one:px-4 mid:*:max-w-96">
        <CustomerPart customer={order.customer} currency={currency} />
      </aside>
    </main>
  );
}

function OrderPayment({ order }: { order: OrderView }) {
  const { payment, currency } = order;
  const disputed: Part[] = payment.disputedMinor === "0" ? [] : [{ word: "Disputed", minor: payment.disputedMinor, look: "dispute" }];
  return (
    <PaymentStanding
      paymentId={payment.id}
      captured={payment.capturedMinor}
      currency={currency}
      parts={[{ word: "Refunded", minor: payment.refundedMinor, look: "spent" }, { word: "Held", minor: payment.heldMinor, look: "hatch" }, ...disputed, { word: "Remains", minor: payment.refundableMinor, look: "blank" }]}
      staged={payment.stagedMinor === "0" ? "none" : <a href="#staged" className="link"><Money minor={payment.stagedMinor} currency={currency} /></a>}
      stagedWord="Staged"
    />
  );
}

function OrderChanges({ order }: { order: OrderView }) {
  return (
    <Block id="changes" title="Changes" aside={order.changes.length > 0 ? "newest first" : undefined}>
      {order.changes.length === 0 && <p className="mt-1.5 text-ink-2">Nothing has been proposed for this order.</p>}
      <ul>
        {order.changes.map((change) => (
          <li key={change.id} className="relative flex min-h-9 flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-rule py-1 hover:bg-band">
            <StateBadge of={change} />
            <Link href={changePath(change.id, "waiting")} className="min-w-0 flex-1 truncate text-ink phone:order-last phone:basis-full after:absolute after:inset-0 hover:text-sign">
              {plainCode(change.reason)}, <ShopText text={change.headline} />{change.moreLines > 0 && ` + ${change.moreLines}`}
            </Link>
            <Time at={change.stagedAt} as="dateMinute" className="ml-auto text-xs text-ink-2" />
            <Money minor={change.amountMinor} currency={change.currency} className="num min-w-20 font-semibold" />
          </li>
        ))}
      </ul>
    </Block>
  );
}

function OrderRefunds({ order }: { order: OrderView }) {
  if (order.refunds.length === 0) return null;
  return (
    <Block title="Refunds" aside="as the store has them">
      <table className="w-full border-collapse">
        <tbody>
          {order.refunds.map((refund) => (
            <tr key={refund.changeId} className="border-t border-rule first:border-0">
              <th scope="row" className="py-1"><Link href={changePath(refund.changeId, "waiting")} className="link mono">{refund.reference}</Link></th>
              <td className="py-1 pl-3 text-ink-2"><Time at={refund.at} as="dateMinute" /></td>
              <td className="num py-1 pl-3 font-semibold text-money-out"><Money minor={refund.amountMinor} currency={order.currency} out /></td>
            </tr>
          ))}
        </tbody>
        <tfoot className="text-md font-semibold">
          <tr className="border-t border-ink">
            <th scope="row" colSpan={2} className="py-1 font-semibold">Refunded in {order.currency}</th>
            <td className="num py-1 pl-3 text-money-out"><span className="double-ruled"><Money minor={order.payment.refundedMinor} currency={order.currency} out /></span></td>
          </tr>
        </tfoot>
      </table>
    </Block>
  );
}
