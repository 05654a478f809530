"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AuditView, EntryView } from "@/lib/changes/view";
import { auditQuery, fetchAudit } from "@/lib/browser/queries";

/** The log from its newest entry down. New entries wait until the reader asks; older ones follow on demand. */
export function useLog(initial: AuditView) {
  const { data: head, isError } = useQuery({ ...auditQuery(), initialData: initial });
  const [shown, setShown] = useState<{ entries: EntryView[]; nextBefore: number | null }>(initial);
  const [more, setMore] = useState<"idle" | "loading" | "failed">("idle");
  const newest = shown.entries[0]?.seq ?? -1;

  const loadOlder = async () => {
    if (shown.nextBefore === null) return;
    setMore("loading");
    try {
      const page = await fetchAudit(shown.nextBefore);
      setShown((before) => ({ entries: [...before.entries, ...page.entries], nextBefore: page.nextBefore }));
      setMore("idle");
    } catch {
      setMore("failed");
    }
  };

  /** The head joins what is shown where they touch; across a gap the head alone is shown. */
  const reveal = () => {
    const fresh = head.entries.filter((entry) => entry.seq > newest);
    const touches = fresh.length < head.entries.length || fresh.at(-1)?.seq === newest + 1;
    setShown((before) => (touches ? { ...before, entries: [...fresh, ...before.entries] } : head));
  };

  return { head, entries: shown.entries, hasOlder: shown.nextBefore !== null, arrived: Math.max(0, head.size - 1 - newest), more, loadOlder, reveal, stale: isError };
}
