"use client";

import { useEffect, useRef } from "react";
import type { PolicyRules } from "@/lib/guardrails/schema";
import { Block } from "@/components/ui/block";
import { Button } from "@/components/ui/button";
import { Glyph } from "@/components/ui/glyph";
import { Remaining } from "@/components/ui/meter";
import { sentenceOf } from "./rules";
import { TrialTable } from "./trial-table";
import { useTrial } from "./use-trial";

const count = (value: number): string => value.toLocaleString("en-GB");

/** A draft on everything that was ever proposed: what would have come of it. Nothing is written. */
export function TryIt({ rules, what, onClose }: { rules: PolicyRules; what: string; onClose: () => void }) {
  const { trial, state, stop } = useTrial(rules);
  const head = useRef<HTMLParagraphElement>(null);
  useEffect(() => head.current?.focus(), []);
  const { done, total, staged, unjudged } = trial;
  const percent = total === 0 ? (state === "done" ? 100 : 0) : Math.min(100, Math.floor((done * 100) / total));
  const quarter = Math.floor(percent / 25) * 25; // said four times, not at each page
  return (
    <Block title={`${what}, tried on the past`} aside="nothing is written">
      <div className="flex flex-wrap items-center gap-3 py-2">
        <p ref={head} tabIndex={-1} className="outline-none">
          {state === "running" && <>Judging what was proposed: <span className="tabular-nums">{count(done)} of {total === 0 ? "…" : count(total)}</span></>}
          {state === "done" && (total === 0 ? "Nothing was ever proposed, so there is nothing to try it on." : <>All {count(done)} that were proposed are judged.</>)}
          {state === "stopped" && <>Stopped after {count(done)} of {count(total)}. What is below holds for those, the newest.</>}
          {state === "failed" && <span className="text-failed">No answer after {count(done)} of {count(total)}. What is below holds for those, the newest.</span>}
        </p>
        <span className="ml-auto flex gap-2">
          {state === "running" && <Button size="small" onClick={stop}>Stop</Button>}
          <Button size="small" look="bare" onClick={onClose}>Close</Button>
        </span>
        <div role="progressbar" aria-label="Judged" aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent} className="w-full"><Remaining percent={percent} /></div>
        <p role="status" className="sr-only">{state === "running" ? `${quarter} percent judged` : state === "done" ? `All ${done} judged` : "Ended"}</p>
      </div>
      {done > 0 && state !== "running" && staged === 0 && (
        <p role="alert" className="flex gap-1.5 border-l-4 border-failed bg-failed-tint px-3 py-2 text-failed"><Glyph name="warning" className="mt-0.5 size-4" />It would have refused everything: {count(done)} of {count(done)}.</p>
      )}
      {done > 0 && <TrialTable trial={trial} />}
      {unjudged.count > 0 && <p className="pt-2 text-ink-2">The verdicts of {count(unjudged.count)} say nothing of {unjudged.rules.map((rule) => `“${sentenceOf(rule)}”`).join(", ")}: most are older than the rule. They are judged here without it.</p>}
      {done > 0 && <p className="pt-2 text-xs text-ink-2">Each by itself and on the figures of its time. What a person approves in a day is judged when they approve, so it is not tried. What was refused is known since it is kept, at most as many as the log lists.</p>}
    </Block>
  );
}
