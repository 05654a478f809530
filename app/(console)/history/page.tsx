import type { Metadata } from "next";
import { filtersOf } from "@/components/filters/filters";
import { HistorySheet } from "@/components/history/history-sheet";
import { ChangeFilters } from "@/lib/changes/filters";
import { listHistory, readFilterChoices } from "@/lib/changes/history";
import { requireContext } from "@/lib/edge/request-context";

export const metadata: Metadata = { title: "History" };

export default async function HistoryPage({ searchParams }: { searchParams: Promise<Record<string, string | string[] | undefined>> }) {
  const [{ ctx }, params] = await Promise.all([requireContext(), searchParams]);
  const parsed = ChangeFilters.safeParse(filtersOf(params));
  const asked = parsed.success ? parsed.data : {};
  const [initial, choices] = await Promise.all([listHistory(ctx, asked, undefined), readFilterChoices(ctx)]);
  return <HistorySheet initial={initial} asked={asked} choices={choices} />;
}
