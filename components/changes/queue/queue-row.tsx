"use client";

import { ShopText } from "@/components/text/shop-text";
import type { MouseEvent } from "react";
import type { QueueRow } from "@/lib/changes/view";
import { StateGlyph } from "@/components/marks/state";
import { Glyph } from "@/components/ui/glyph";
import { Money } from "@/components/ui/money";
import { Age, RecentTime } from "@/components/ui/time";
import { formatSpan } from "@/lib/browser/times";
import { plainCode } from "../words";

type Props = { row: QueueRow; href: string; current: boolean; gone: boolean; now: Date; onOpen: (id: string) => void };

/** 56 px: the state in the margin, order and money, below what for and the most urgent single fact. */
export function QueueRowLink({ row, href, current, gone, now, onOpen }: Props) {
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    onOpen(row.id);
  };
  return (
    <a
      href={href}
      onClick={open}
      data-change={row.id}
      aria-current={current ? "true" : undefined}
      className={`margin-rule grid min-h-14 grid-cols-[2.125rem_minmax(0,1fr)_auto] gap-x-3 border-b border-rule py-[7px] pr-4 hover:bg-band aria-[current]:-mr-px aria-[current]:bg-sheet aria-[current]:shadow-[inset_4px_0_0_var(--u-sign)] one:group-data-[desk=queue]/desk:mr-0 one:group-data-[desk=queue]/desk:bg-transparent one:group-data-[desk=queue]/desk:shadow-none focus-visible:-outline-offset-2 ${gone ? "opacity-60" : ""}`}
    >
      <span className="flex justify-center pt-0.5 pl-0.5"><StateGlyph of={row} /></span>
      <span className="truncate pl-0.5 text-md font-medium">{row.orderNumber}<small className="ml-1.5 text-xs font-normal text-ink-2"><ShopText text={row.customer} /></small></span>
      <Money minor={row.amountMinor} currency={row.currency} className="num text-md font-semibold" />
      <span className="col-start-2 truncate pl-0.5 text-xs/[1.125rem] text-ink-2">
        {plainCode(row.reason)}, <ShopText text={row.headline} />{row.moreLines > 0 && ` + ${row.moreLines}`}
      </span>
      <span className="num text-xs/[1.125rem] text-ink-2">{gone ? "left" : <Urgent row={row} now={now} />}</span>
    </a>
  );
}

const HOUR = 3_600_000;
const SOON = 24 * HOUR;

function Urgent({ row, now }: { row: QueueRow; now: Date }) {
  const left = Date.parse(row.expiresAt) - now.getTime();
  if (row.state === "failed") return <b className="font-medium text-failed">failed</b>;
  if (row.state === "applying") return <b className="font-medium text-applying">unclear</b>;
  if (row.state === "approved") return row.effectiveAt ? <span className="text-approved"><RecentTime at={row.effectiveAt} today="minute" /></span> : <b className="font-medium text-second">no time</b>;
  if (row.state === "expired" || left <= 0) return <>expired</>;
  if (left < SOON) return <b className="font-medium text-second">{formatSpan(Math.max(left, 60_000))} left</b>;
  if (row.rejectedBefore) return <b className="font-medium text-mark" title={`One like it was rejected by ${row.rejectedBefore}`}><Glyph name="rejected" className="mr-1 size-3.5" />rejected before</b>;
  if (row.have > 0) return <span className="text-second">{row.have} of {row.required}</span>;
  return row.required > 1 ? <>{row.required} to sign</> : <Age at={row.stagedAt} now={now} />;
}
