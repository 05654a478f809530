"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import type { ChangeView, QueuePage, ViewName } from "@/lib/changes/view";
import { changeQuery } from "@/lib/browser/queries";
import { useShortcuts } from "@/lib/browser/shortcuts";
import { usePreferences } from "@/components/ui/preferences";
import { useDecisions, type Said } from "./decisions";
import { OnePaneHead } from "./one-pane-head";
import { viewPath } from "./paths";
import { effectOf } from "./decision/bar-state";
import { QueueFoot } from "./queue/queue-foot";
import { QueueList } from "./queue/queue-list";
import { following, neighbour } from "./queue/queue-state";
import { useQueue } from "./queue/use-queue";
import { ChangeSheet } from "./sheet/change-sheet";
import { useOpened } from "./use-opened";
import { ViewsStrip } from "./views-strip";
import type { Deed } from "./words";

type Props = { view: ViewName; page: QueuePage; change: ChangeView | undefined };

const onePane = (): boolean => window.matchMedia("(width <= 900px)").matches;

/** The queue and the change that is open, side by side; on one pane, one after the other. */
export function ChangesDesk({ view, page, change: initial }: Props) {
  const { queue, tell, more, loadMore, head, stale } = useQueue(view, page);
  const { all, decide } = useDecisions();
  const { shortcuts } = usePreferences();
  const { selected, open: isOpen, openChange } = useOpened(view, initial?.id ?? page.items[0]?.id ?? null);
  const [takeFocus, setTakeFocus] = useState(false);
  const next = following(queue, selected);
  usePrefetched(next?.id);

  useEffect(() => {
    if (selected) document.querySelector(`[data-change="${CSS.escape(selected)}"]`)?.scrollIntoView({ block: "nearest" });
  }, [selected]);

  const open = useCallback(
    (id: string, how: "push" | "replace", focus: boolean) => {
      setTakeFocus(focus);
      openChange(id, how);
      requestAnimationFrame(() => window.scrollTo(0, 0));
    },
    [openChange],
  );
  const openRow = useCallback((id: string) => open(id, "push", false), [open]);

  const step = (by: 1 | -1) => {
    const row = neighbour(queue.rows, queue.gone, selected, by);
    if (row && !(onePane() && !isOpen)) open(row.id, "replace", true);
  };

  /** What is lowered stays on screen with what was typed until the answer is there; then what took its place is open. */
  const trim = async (change: ChangeView, said?: Said) => {
    const decision = await decide("trim", change, said);
    if (decision.change.id === change.id) return;
    tell({ type: "taken", id: change.id });
    open(decision.change.id, "replace", true);
  };

  /** What was decided leaves the list and the next opens at once; a refusal puts it back where it was. What is not listed stays open. */
  const act = async (deed: Deed, change: ChangeView, said?: Said) => {
    if (deed === "trim") return trim(change, said);
    if (deed !== "retract" && deed !== "schedule") {
      const listed = queue.rows.some((row) => row.id === change.id);
      const after = listed ? (neighbour(queue.rows, queue.gone, change.id, 1) ?? neighbour(queue.rows, queue.gone, change.id, -1)) : null;
      tell({ type: "taken", id: change.id });
      if (selected === change.id && !onePane()) open((after ?? change).id, "replace", after !== null);
    }
    const decision = await decide(deed, change, said);
    const refused = decision.phase === "answered" && decision.answer.status === "refused";
    if (deed === "retract" ? !refused : refused) tell({ type: "returned", id: change.id });
  };

  const reveal = () => tell({ type: "revealed" });
  const takeable = all.findLast(effectOf);
  useShortcuts({ j: () => step(1), k: () => step(-1), n: reveal, ...(takeable && { z: () => void act("retract", takeable.change) }) }, shortcuts);

  return (
    <main id="content" aria-label="Changes" data-desk={isOpen ? "change" : "queue"} className="group/desk">
      {!selected && <h1 className="sr-only">Changes</h1>}
      <ViewsStrip view={view} counts={head.counts} />
      <div className="grid h-[calc(100dvh-var(--u-bar)-2.25rem)] grid-cols-[22.5rem_minmax(0,1fr)] mid:grid-cols-[19rem_minmax(0,1fr)] one:block one:h-auto coarse:h-[calc(100dvh-var(--u-bar)-3rem)] coarse:one:h-auto">
        <section aria-label="Queue" className="flex min-h-0 flex-col border-r border-rule-strong bg-desk one:border-r-0 one:group-data-[desk=change]/desk:hidden">
          {selected && <h1 className="hidden one:sr-only one:block">Changes</h1>}
          {stale && <p role="status" className="border-b border-rule bg-mark-tint px-4 py-1 text-xs text-mark">No answer from the server. This list is not live.</p>}
          <QueueList
            {...{ view, queue, head, selected, more }}
            onOpen={openRow}
            onReveal={reveal}
            onMore={() => void loadMore()}
          />
          <QueueFoot onScreen={isOpen ? selected : null} onTakeBack={({ change }) => void act("retract", change)} onOpen={(id) => open(id, "push", true)} />
        </section>
        <section aria-label="Change" className="flex min-h-0 min-w-0 flex-col bg-sheet one:min-h-dvh one:group-data-[desk=queue]/desk:hidden">
          {isOpen && <OnePaneHead queueHref={viewPath(view)} place={placeOf(queue.rows, selected, head.counts[view])} onNext={next && (() => open(next.id, "replace", true))} />}
          {selected ? (
            <ChangeSheet id={selected} initial={initial} takeFocus={takeFocus} onDecide={(deed, change, said) => void act(deed, change, said)} onNext={isOpen && next ? () => open(next.id, "replace", true) : null} />
          ) : <p className="sr-only">No change is open.</p>}
        </section>
      </div>
    </main>
  );
}

function placeOf(rows: readonly { id: string }[], id: string | null, counted: number): string | null {
  const index = rows.findIndex((row) => row.id === id);
  return index < 0 ? null : `${index + 1} of ${Math.max(rows.length, counted)}`;
}

/** The change that opens next is read ahead, so that it opens at once. */
function usePrefetched(id: string | undefined): void {
  const client = useQueryClient();
  useEffect(() => {
    if (id) void client.prefetchQuery(changeQuery(id));
  }, [client, id]);
}
