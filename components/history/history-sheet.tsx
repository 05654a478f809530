"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { FilterChoices, HistoryPage } from "@/lib/changes/view";
import { historyQuery, historySumsQuery } from "@/lib/browser/queries";
import { Empty } from "@/components/ui/empty";
import { Failure } from "@/components/ui/failure";
import { LoadMore } from "@/components/ui/load-more";
import { Money } from "@/components/ui/money";
import { SkeletonRows } from "@/components/ui/skeleton";
import { FilterBar } from "../filters/filter-bar";
import type { Filters } from "../filters/filters";
import { useFilters } from "../filters/use-filters";
import { HistoryExport } from "./history-export";
import { HistoryRows } from "./history-rows";

type Props = { initial: HistoryPage; asked: Filters; choices: FilterChoices };

/** Everything that was decided, newest proposal first. */
export function HistorySheet({ initial, asked, choices }: Props) {
  const { filters, count } = useFilters();
  const isAsked = JSON.stringify(filters) === JSON.stringify(asked);
  const query = useInfiniteQuery({
    ...historyQuery(filters), ...(isAsked && { initialData: { pages: [initial], pageParams: [""] } }),
  });
  const { data, error, refetch } = query;
  const sums = useQuery(historySumsQuery(filters)).data;
  const rows = data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <main id="content" className="min-h-[calc(100dvh-var(--u-bar))] bg-sheet px-6 pt-4 pb-8 one:px-4">
      <header className="mb-3 flex flex-wrap items-end justify-between gap-3">
        <h1 className="text-xl font-semibold tracking-[-0.01em]">History</h1>
        <HistoryExport filters={filters} count={sums?.count} />
      </header>
      <FilterBar choices={choices} ended />
      <p role="status" className="mt-3 min-h-5 text-ink-2">
        {sums && <>{sums.count.toLocaleString("en-GB")} {sums.count === 1 ? "change" : "changes"}{sums.sums.map((each) => <span key={each.currency}>, <Money minor={each.amountMinor} currency={each.currency} className="font-semibold text-ink" /> asked for</span>)}</>}
      </p>
      {!data && error && <Failure what="The history could not be read." notDone={error.message} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows label="Loading the history" />}
      {data && rows.length === 0 && <Empty fact={count > 0 ? "Nothing decided matches." : "Nothing has been decided yet."}>{count > 0 ? "Take a filter away to see more." : "What is approved, rejected, withdrawn or expired stands here."}</Empty>}
      {rows.length > 0 && <HistoryRows rows={rows} />}
      {rows.length > 0 && <LoadMore of={query} />}
    </main>
  );
}
