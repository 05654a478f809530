"use client";

import type { AuditView } from "@/lib/changes/view";
import { Button, buttonClass } from "@/components/ui/button";
import { useZone } from "@/components/ui/clock";
import { Glyph } from "@/components/ui/glyph";
import { Kbd } from "@/components/ui/kbd";
import { usePreferences } from "@/components/ui/preferences";
import { Time } from "@/components/ui/time";
import { useShortcuts } from "@/lib/browser/shortcuts";
import { FindingSheet, LastCheck } from "./last-check";
import { LogTable } from "./log-table";
import { Totals } from "./totals";
import { useLog } from "./use-log";

/** The log as a stranger would check it: every entry, what the database was found to be, and the sums that tie log to store. */
export function LogSheet({ initial, merchantId }: { initial: AuditView; merchantId: string }) {
  const zone = useZone();
  const { shortcuts } = usePreferences();
  const { head, entries, hasOlder, arrived, more, loadOlder, reveal, stale } = useLog(initial);
  useShortcuts({ n: reveal }, shortcuts && arrived > 0);
  return (
    <main id="content" className="min-h-[calc(100dvh-var(--u-bar))] bg-sheet px-6 pt-4 pb-8 one:px-4">
      <header className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h1 className="text-xl font-semibold tracking-[-0.01em]">The log</h1>
          <p className="text-ink-2"><span className="mono">{head.log}</span> {head.size.toLocaleString("en-GB")} {head.size === 1 ? "entry" : "entries"} since <Time at={head.openedAt} as="date" /></p>
        </div>
        <a href={`/api/v1/log/${merchantId}/bundle`} download className={buttonClass()}>Download bundle</a>
      </header>
      {head.check && head.check.findings > 0 && <FindingSheet check={head.check} />}
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)_23rem] gap-8 mid:grid-cols-1">
        <section aria-labelledby="entries" className="min-w-0">
          <header className="flex min-h-8 items-center justify-between border-b border-rule-strong">
            <h2 id="entries" className="font-semibold">Entries</h2>
            {stale && <span role="status" className="text-xs text-mark">No answer from the server. This page is not live.</span>}
          </header>
          <div aria-live="polite">
            {arrived > 0 && (
              <button type="button" onClick={reveal} className="flex w-full items-center gap-2 border-b border-rule bg-sign-tint px-3 py-[5px] text-left text-sign hover:text-sign-strong coarse:min-h-11">
                <Glyph name="up" />{arrived.toLocaleString("en-GB")} new above<span className="ml-auto"><Kbd>n</Kbd></span>
              </button>
            )}
          </div>
          <div className="quiet-scroll overflow-x-auto"><LogTable entries={entries} zone={zone} /></div>
          {hasOlder && (
            <p className="mt-3 flex items-center justify-center gap-3">
              <Button onClick={() => void loadOlder()} disabled={more === "loading"}>{more === "loading" ? "Loading…" : "Load older"}</Button>
              {more === "failed" && <span role="alert" className="text-failed">No answer. Nothing was loaded.</span>}
            </p>
          )}
        </section>
        <aside aria-label="Checks" className="grid content-start gap-5">
          <Totals totals={head.totals} />
          <LastCheck check={head.check} size={head.size} />
        </aside>
      </div>
    </main>
  );
}
