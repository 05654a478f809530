"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { PolicyView, VersionView } from "@/lib/guardrails/policy-view";
import { fetchPolicy, policyQuery, standingQuery } from "@/lib/browser/queries";

/** The policy as it is now, with the older versions that were asked for. */
export function usePolicy(initial: PolicyView) {
  const queries = useQueryClient();
  const { data: view, isError } = useQuery({ ...policyQuery(), initialData: initial });
  const [older, setOlder] = useState<{ versions: VersionView[]; olderThan: number | null } | null>(null);
  const [more, setMore] = useState<"idle" | "loading" | "failed">("idle");
  const olderThan = older ? older.olderThan : view.olderThan;

  const loadOlder = async () => {
    if (olderThan === null) return;
    setMore("loading");
    try {
      const page = await fetchPolicy(olderThan);
      setOlder((was) => ({ versions: [...(was?.versions ?? []), ...page.versions], olderThan: page.olderThan }));
      setMore("idle");
    } catch {
      setMore("failed");
    }
  };
  const versions = [...view.versions, ...(older?.versions ?? [])].toSorted((a, b) => b.version - a.version).filter(({ version }, index, all) => all[index - 1]?.version !== version);
  const refresh = () => Promise.all([queries.invalidateQueries(policyQuery()), queries.invalidateQueries(standingQuery())]);
  return { view, versions, hasOlder: olderThan !== null, more, loadOlder, refresh, stale: isError };
}
