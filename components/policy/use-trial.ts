"use client";

import { useEffect, useRef, useState } from "react";
import type { PolicyRules } from "@/lib/guardrails/schema";
import { tryPage } from "@/lib/browser/queries";
import { begun, withPage, type Trial } from "./trial";

type State = "running" | "done" | "stopped" | "failed";

/** Walks the past page by page while it is on the screen. What was found stays when it is stopped. */
export function useTrial(rules: PolicyRules): { trial: Trial; state: State; stop: () => void } {
  const [trial, setTrial] = useState(begun);
  const [state, setState] = useState<State>("running");
  const walking = useRef<AbortController>(null);
  useEffect(() => {
    const abort = new AbortController();
    walking.current = abort;
    const walk = async () => {
      setTrial(begun());
      for (let before: string | null | undefined; before !== null; ) {
        const page = await tryPage({ rules, before }, abort.signal);
        if (abort.signal.aborted) return;
        setTrial((was) => withPage(was, page));
        before = page.next;
      }
      setState("done");
    };
    walk().catch(() => { if (!abort.signal.aborted) setState("failed"); });
    return () => abort.abort();
  }, [rules]);
  const stop = () => {
    walking.current?.abort();
    setState("stopped");
  };
  return { trial, state, stop };
}
