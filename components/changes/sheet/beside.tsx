import { ShopText } from "@/components/text/shop-text";
import Link from "next/link";
import type { ReactNode } from "react";
import type { ChangeView, CustomerBeside } from "@/lib/changes/view";
import { Facts } from "@/components/ui/facts";
import { Money } from "@/components/ui/money";
import { Time } from "@/components/ui/time";
import { Conflicts } from "../conflicts";
import { becauseWords } from "../words";
import { Timeline } from "./timeline";

/** What stands beside a change: its order, the customer, the agent's record, and its entries. */
export function Beside({ change }: { change: ChangeView }) {
  const { order, agent, currency } = change;
  return (
    <aside aria-label="Context" className="border-l border-rule px-4 py-3 mid:grid mid:grid-cols-2 mid:gap-x-6 mid:gap-y-4 mid:border-t mid:border-l-0 mid:px-6 one:px-4 phone:block">
      <Part title={<>Order <Link href={`/orders/${order.id}`} className="link">{order.number}</Link></>}>
        <Facts rows={[
          ["Placed", <Time key="placed" at={order.placedAt} as="dateMinute" />],
          ["Lines", `${order.lines.toLocaleString("en-GB")}, ${order.pieces.toLocaleString("en-GB")} ${order.pieces === 1 ? "piece" : "pieces"}`],
          ["Paid", <Money key="paid" minor={order.paidMinor} currency={currency} />],
          ["Other refunds", <Refunds key="refunds" count={order.otherRefunds} minor={order.otherRefundsMinor} currency={currency} />],
        ]} />
      </Part>
      {change.conflicts.length > 0 && <Part id="elsewhere" title="Against the same payment"><Conflicts conflicts={change.conflicts} currency={currency} /></Part>}
      <CustomerPart customer={change.customer} currency={currency} />
      {agent && (
        <Part title={`${agent.name}, last 30 days`}>
          <Facts rows={[
            ["Applied", agent.applied.toLocaleString("en-GB")],
            ["Rejected", agent.rejected.toLocaleString("en-GB")],
            ["Failed to apply", agent.failed.toLocaleString("en-GB")],
            ["Key made by", agent.keyMadeBy],
          ]} />
        </Part>
      )}
      <Part title="May not approve">
        <ul>{change.mayNot.map(({ personId, name, because }) => <li key={personId}>{name}<span className="text-ink-2">, because they {becauseWords(because)}</span></li>)}</ul>
      </Part>
      <Part title="Entries"><Timeline entries={change.entries} /></Part>
    </aside>
  );
}

export function CustomerPart({ customer, currency }: { customer: CustomerBeside; currency: string }) {
  return (
    <Part title={<ShopText text={customer.name} />}>
      <Facts rows={[
        ["Orders, 12 months", <span key="orders">{customer.orders.toLocaleString("en-GB")}, <Money minor={customer.ordersMinor} currency={currency} /></span>],
        ["Refunds, 90 days", <Refunds key="refunds" count={customer.refunds} minor={customer.refundsMinor} currency={currency} />],
        ...(customer.country ? [["Ships to", <ShopText key="country" text={customer.country} />] as const] : []),
      ]} />
    </Part>
  );
}

function Refunds({ count, minor, currency }: { count: number; minor: string; currency: string }) {
  if (count === 0) return <>none</>;
  return <>{count.toLocaleString("en-GB")}, <Money minor={minor} currency={currency} out className="text-money-out" /></>;
}

function Part({ title, id, children }: { title: ReactNode; id?: string; children: ReactNode }) {
  return (
    <section id={id} className="not-first:mt-4 not-first:border-t not-first:border-rule not-first:pt-3 mid:not-first:mt-0 mid:not-first:border-0 mid:not-first:pt-0 phone:not-first:mt-4 phone:not-first:border-t phone:not-first:pt-3">
      <h2 className="mb-2 font-semibold">{title}</h2>
      {children}
    </section>
  );
}
