"use client";

import { memo, useMemo } from "react";
import type { QueuePage, QueueRow, ViewName } from "@/lib/changes/view";
import { useNow } from "@/components/ui/clock";
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
  const now = useNow(30_000);
  const chunks = useMemo(() => chunked(queue.rows), [queue.rows]);
  return (
    <>
      <Arrivals arrived={queue.arrived.length} gone={queue.gone.size} onReveal={onReveal} />
      {queue.rows.length === 0 && queue.arrived.length === 0 ? <div className="flex-1"><EmptyView view={view} lastDecisionAt={head.lastDecisionAt} /></div> : (
        <div className="quiet-scroll min-h-0 flex-1 overflow-auto one:overflow-visible">
          <div role="list" aria-label="Changes">
            {chunks.map((rows, index) => (
              <Chunk key={index} rows={rows} selected={rows.some((row) => row.id === selected) ? selected : null} gone={queue.gone} {...{ view, now, onOpen }} />
            ))}
          </div>
          {queue.nextCursor !== null && (
            <p className="flex items-center justify-center gap-3 p-3">
              <Button size="small" onClick={onMore} disabled={more === "loading"}>{more === "loading" ? "Loading…" : "Load more"}</Button>
              {more === "failed" && <span role="alert" className="text-xs text-failed">No answer. Nothing was loaded.</span>}
            </p>
          )}
        </div>
      )}
    </>
  );
}

const CHUNK = 50;

const chunked = (rows: readonly QueueRow[]): QueueRow[][] =>
  Array.from({ length: Math.ceil(rows.length / CHUNK) }, (_, index) => rows.slice(index * CHUNK, (index + 1) * CHUNK));

type ChunkProps = { rows: readonly QueueRow[]; selected: string | null; gone: ReadonlySet<string>; view: ViewName; now: Date; onOpen: (id: string) => void };

/** Some rows of a list of thousands: drawn again only when they change, laid out only when they are near the screen. */
const Chunk = memo(function Chunk({ rows, selected, gone, view, now, onOpen }: ChunkProps) {
  return (
    <div role="presentation" className="lazy-rows">
      {rows.map((row) => (
        <div role="listitem" key={row.id}><QueueRowLink row={row} href={changePath(row.id, view)} current={row.id === selected} gone={gone.has(row.id)} now={now} onOpen={onOpen} /></div>
      ))}
    </div>
  );
});

/** What arrived waits here; nothing in the list moves until the reader asks. */
function Arrivals({ arrived, gone, onReveal }: { arrived: number; gone: number; onReveal: () => void }) {
  const words = arrived > 0 ? `${arrived} new above` : gone > 0 ? `${gone} left this view` : "";
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
