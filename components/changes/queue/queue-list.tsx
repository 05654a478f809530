"use client";

import type { QueuePage, ViewName } from "@/lib/changes/view";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Glyph } from "@/components/ui/glyph";
import { Kbd } from "@/components/ui/kbd";
import { RecentTime } from "@/components/ui/time";
import { changePath } from "../paths";
import type { Queue } from "./queue-state";
import { QueueRowLink } from "./queue-row";

type Props = {
  view: ViewName;
  queue: Queue;
  head: QueuePage;
  selected: string | null;
  more: "idle" | "loading" | "failed";
  onOpen: (id: string) => void;
  onReveal: () => void;
  onMore: () => void;
};

export function QueueList({ view, queue, head, selected, more, onOpen, onReveal, onMore }: Props) {
  return (
    <>
      <Arrivals arrived={queue.arrived.length} gone={queue.gone.size} onReveal={onReveal} />
      {queue.rows.length === 0 && queue.arrived.length === 0 ? <EmptyView view={view} lastDecisionAt={head.lastDecisionAt} /> : (
        <ol aria-label="Changes" className="quiet-scroll min-h-0 flex-1 overflow-auto one:overflow-visible">
          {queue.rows.map((row) => (
            <li key={row.id} className="lazy-row">
              <QueueRowLink row={row} href={changePath(row.id, view)} current={row.id === selected} gone={queue.gone.has(row.id)} onOpen={onOpen} />
            </li>
          ))}
          {queue.nextCursor !== null && (
            <li className="flex items-center justify-center gap-3 p-3">
              <Button size="small" onClick={onMore} disabled={more === "loading"}>{more === "loading" ? "Loading…" : "Load more"}</Button>
              {more === "failed" && <span role="alert" className="text-xs text-failed">No answer. Nothing was loaded.</span>}
            </li>
          )}
        </ol>
      )}
    </>
  );
}

/** What arrived waits here; nothing in the list moves until the reader asks. */
function Arrivals({ arrived, gone, onReveal }: { arrived: number; gone: number; onReveal: () => void }) {
  const words = arrived > 0 ? `${arrived} new above` : gone > 0 ? `${gone} decided elsewhere` : "";
  return (
    <div aria-live="polite">
      {words && (
        <button type="button" onClick={onReveal} className="flex w-full items-center gap-2 border-b border-rule bg-sign-tint py-[5px] pr-4 pl-[2.875rem] text-left text-sign hover:text-sign-strong focus-visible:-outline-offset-2 coarse:min-h-11">
          <Glyph name={arrived > 0 ? "up" : "tick"} />
          {words}
          <span className="ml-auto"><Kbd>n</Kbd></span>
        </button>
      )}
    </div>
  );
}

function EmptyView({ view, lastDecisionAt }: { view: ViewName; lastDecisionAt: string | null }) {
  if (view === "second") return <Empty fact="No change needs a second name.">Those that are signed once and need another appear here by themselves.</Empty>;
  if (view === "attention") return <Empty fact="Nothing failed.">What could not be applied, or whose answer was lost, appears here.</Empty>;
  if (view === "expired") return <Empty fact="Nothing expired.">What nobody signed in time is kept here. No money moves for it.</Empty>;
  return (
    <Empty fact="Nothing waits for you.">
      {lastDecisionAt && <>Last decision at <RecentTime at={lastDecisionAt} today="minute" />. </>}New changes appear here by themselves.
    </Empty>
  );
}
