import type { ChangeView } from "@/lib/changes/view";
import { StateBadge } from "@/components/marks/state";
import { Glyph } from "@/components/ui/glyph";
import { Money } from "@/components/ui/money";
import { RecentTime, Time } from "@/components/ui/time";
import { plainCode } from "../words";
import { OriginLines } from "./origin-lines";

export const orderNumberOf = (change: ChangeView): string => change.order.number;

/** What is asked for, in one look; the amount is the largest thing on the sheet. */
export function Head({ change, marks }: { change: ChangeView; marks: number }) {
  const lines = change.lines.length;
  return (
    <header className="flex items-start gap-4 phone:block">
      <div className="min-w-0 flex-1">
        <h1 id="change-title" tabIndex={-1} className="text-xl font-semibold tracking-[-0.01em] outline-none phone:text-lg">Refund to order {orderNumberOf(change)}</h1>
        <Total change={change} className="hidden phone:block" />
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-2">
          <StateBadge of={change} />
          <span>{plainCode(change.reason)}</span>
          <span>{lines} {lines === 1 ? "line" : "lines"}</span>
          <span>{change.origin.stager}, <RecentTime at={change.stagedAt} today="minute" /></span>
          <span>{Date.parse(change.expiresAt) > Date.parse(change.stagedAt) && change.state === "staged" && <>expires <Time at={change.expiresAt} as="day" /></>}</span>
          {marks > 0 && <a href="#note" className="link inline-flex items-center gap-[5px] font-medium text-mark hover:text-mark"><Glyph name="warning" className="size-3.5" />hidden or look-alike text in the note</a>}
        </div>
        <OriginLines change={change} />
      </div>
      <div className="flex-none text-right whitespace-nowrap phone:hidden">
        <Total change={change} className="block" />
        <span className="text-ink-2">{change.currency}, out of the shop</span>
      </div>
    </header>
  );
}

function Total({ change, className }: { change: ChangeView; className: string }) {
  return <Money minor={change.amountMinor} currency={change.currency} out className={`text-2xl font-semibold tracking-[-0.02em] text-money-out tabular-nums phone:leading-9 ${className}`} />;
}
