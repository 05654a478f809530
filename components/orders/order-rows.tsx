import { ShopText } from "@/components/text/shop-text";
import Link from "next/link";
import type { OrderRow } from "@/lib/changes/view";
import { Money } from "@/components/ui/money";
import { Time } from "@/components/ui/time";

const CELL = "num py-1 pl-3 phone:hidden";

export function OrderRows({ rows }: { rows: readonly OrderRow[] }) {
  return (
    <table className="two-line mt-3 w-full border-collapse">
      <thead className="sticky top-0 z-1 bg-sheet text-xs text-ink-2 shadow-[inset_0_-1px_0_var(--u-rule-strong)]">
        <tr>
          <th scope="col" className="py-1.5 pr-2">Order</th>
          <th scope="col" className="py-1.5 pr-2">Customer</th>
          <th scope="col" className="py-1.5 pr-2">Placed</th>
          <th scope="col" className={CELL}>Lines</th>
          <th scope="col" className={CELL}>Pieces</th>
          <th scope="col" className={CELL}>Paid</th>
          <th scope="col" className={CELL}>Refunded</th>
          <th scope="col" className={CELL}>Held</th>
          <th scope="col" className={CELL}>Staged</th>
        </tr>
      </thead>
      <tbody>{rows.map((row) => <Row key={row.id} row={row} />)}</tbody>
    </table>
  );
}

function Row({ row }: { row: OrderRow }) {
  const { currency } = row;
  return (
    <tr className="relative h-[var(--u-row)] border-t phone:h-auto border-rule hover:bg-band">
      <th scope="row" className="pr-2 font-medium whitespace-nowrap">
        <Link href={`/orders/${row.id}`} className="text-ink after:absolute after:inset-0 hover:text-sign">{row.number}</Link>
        <span className="ml-1.5 hidden text-xs font-normal text-ink-2 phone:inline"><ShopText text={row.customer} /></span>
      </th>
      <td className="max-w-60 truncate pr-2 phone:hidden"><ShopText text={row.customer} /></td>
      <td className="pr-2 whitespace-nowrap text-ink-2 phone:hidden"><Time at={row.placedAt} as="dateMinute" /></td>
      <td className={CELL}>{row.lines.toLocaleString("en-GB")}</td>
      <td className={CELL}>{row.pieces.toLocaleString("en-GB")}</td>
      <td className="num py-1 pl-3 font-semibold"><Money minor={row.capturedMinor} currency={currency} /></td>
      <td className={CELL}><Taken minor={row.refundedMinor} currency={currency} className="text-money-out" /></td>
      <td className={CELL}><Taken minor={row.heldMinor} currency={currency} className="text-second" /></td>
      <td className={CELL}><Taken minor={row.stagedMinor} currency={currency} className="" /></td>
      <td className="hidden text-xs text-ink-2 phone:block"><Time at={row.placedAt} as="date" />, {row.lines} {row.lines === 1 ? "line" : "lines"}</td>
      <td className="num hidden text-xs text-ink-2 phone:block">
        {row.refundedMinor !== "0" ? <>refunded <Money minor={row.refundedMinor} currency={currency} /></> : row.stagedMinor !== "0" ? <>staged <Money minor={row.stagedMinor} currency={currency} /></> : ""}
      </td>
    </tr>
  );
}

/** Nothing taken says nothing. */
function Taken({ minor, currency, className }: { minor: string; currency: string; className: string }) {
  return minor === "0" ? null : <Money minor={minor} currency={currency} out={className === "text-money-out"} className={className} />;
}
