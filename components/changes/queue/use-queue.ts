"use client";

import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useReducer, useState } from "react";
import type { QueuePage, ViewName } from "@/lib/changes/view";
import { fetchQueue, queueQuery } from "@/lib/browser/queries";
import { openQueue, queueReducer } from "./queue-state";

/** A view's rows, live: the head is asked for again and again, older rows when the reader wants them. */
export function useQueue(view: ViewName, initial: QueuePage) {
  const head = useQuery({ ...queueQuery(view), initialData: initial });
  const [queue, tell] = useReducer(queueReducer, initial, openQueue);
  const [more, setMore] = useState<"idle" | "loading" | "failed">("idle");

  useEffect(() => tell({ type: "polled", page: head.data }), [head.data]);

  const loadMore = useCallback(async () => {
    if (queue.nextCursor === null) return;
    setMore("loading");
    try {
      tell({ type: "continued", page: await fetchQueue(view, queue.nextCursor) });
      setMore("idle");
    } catch {
      setMore("failed");
    }
  }, [queue.nextCursor, view]);

  return { queue, tell, more, loadMore, head: head.data, stale: head.isError };
}
