import Link from "next/link";
import type { HistoryRow } from "@/lib/changes/view";
import { StateBadge } from "@/components/marks/state";
import { ShopText } from "@/components/text/shop-text";
import { Money } from "@/components/ui/money";
import { RecentTime } from "@/components/ui/time";
import { plainCode } from "../changes/words";

export function HistoryRows({ rows }: { rows: readonly HistoryRow[] }) {
  return (
    <table className="two-line w-full border-collapse">
      <caption className="sr-only">Decided changes</caption>
      <thead className="sticky top-0 z-1 bg-sheet text-xs text-ink-2 shadow-[inset_0_-1px_0_var(--u-rule-strong)]">
        <tr>
          <th scope="col" className="py-1.5 pr-2">Order</th>
          <th scope="col" className="py-1.5 pr-2">Customer</th>
          <th scope="col" className="py-1.5 pr-2">What for</th>
          <th scope="col" className="num py-1.5 pl-3 phone:hidden">Amount</th>
          <th scope="col" className="py-1.5 pl-4 phone:hidden">State</th>
          <th scope="col" className="py-1.5 pl-4 phone:hidden">Signed or rejected by</th>
          <th scope="col" className="py-1.5 pl-4 phone:hidden">Last step</th>
        </tr>
      </thead>
      <tbody>{rows.map((row) => <Row key={row.id} row={row} />)}</tbody>
    </table>
  );
}

function Row({ row }: { row: HistoryRow }) {
  const { currency } = row;
  return (
    <tr className="relative h-[var(--u-row)] border-t border-rule hover:bg-band phone:h-auto">
      <th scope="row" className="pr-2 font-medium whitespace-nowrap">
        <Link href={`/changes/${row.id}`} className="text-ink after:absolute after:inset-0 hover:text-sign">{row.orderNumber}</Link>
        <span className="ml-1.5 hidden text-xs font-normal text-ink-2 phone:inline"><ShopText text={row.customer} /></span>
      </th>
      <td className="max-w-56 truncate pr-2 phone:hidden"><ShopText text={row.customer} /></td>
      <td className="max-w-72 truncate pr-2 text-ink-2 phone:hidden">{plainCode(row.reason)}, <ShopText text={row.headline} />{row.moreLines > 0 && ` + ${row.moreLines}`}</td>
      <td className="num py-1 pl-3 font-semibold"><Money minor={row.amountMinor} currency={currency} /></td>
      <td className="pl-4 whitespace-nowrap phone:hidden"><StateBadge of={row} />{row.why && <span className="ml-1.5 text-xs text-ink-2">{row.why}</span>}</td>
      <td className="max-w-56 truncate pl-4 phone:hidden">{row.deciders.join(", ") || <span className="text-ink-3">nobody</span>}</td>
      <td className="pl-4 whitespace-nowrap text-ink-2 phone:hidden"><RecentTime at={row.endedAt} today="minute" />, {row.endedBy}</td>
      <td className="hidden text-xs text-ink-2 phone:block">{plainCode(row.state)}{row.why && `, ${row.why}`}, <RecentTime at={row.endedAt} today="minute" /></td>
      <td className="hidden text-xs text-ink-2 phone:block">{row.deciders.join(", ")}</td>
    </tr>
  );
}
