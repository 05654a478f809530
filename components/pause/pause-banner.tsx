"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { PauseView } from "@/lib/guardrails/pause";
import { RefusedNote } from "@/components/forms/refused";
import { useForm, type FormAction } from "@/components/forms/use-form";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Glyph } from "@/components/ui/glyph";
import { RecentTime } from "@/components/ui/time";
import { standingQuery } from "@/lib/browser/queries";

/** On every page while the switch is thrown: who, when and why, and the way back. */
export function PauseBanner({ pause, mayGovern, resume }: { pause: PauseView; mayGovern: boolean; resume: FormAction<void> }) {
  const { by, at, reason, needsAnother } = pause;
  return (
    <section data-paused aria-label="Paused" className="flex min-h-10 items-center gap-x-4 gap-y-1.5 border-b border-failed bg-failed-tint px-4 text-failed one:flex-wrap one:px-2 one:py-1.5">
      <p className="flex flex-none items-baseline gap-1.5 one:shrink">
        <Glyph name="pause" className="size-4 self-center one:self-start one:mt-0.5" />
        <span className="whitespace-nowrap one:whitespace-normal"><b className="font-semibold">Paused</b> by {by}, <RecentTime at={at} today="minute" />. Nothing is staged, nothing is applied.</span>
      </p>
      {reason && <Reason reason={reason} by={by} />}
      {mayGovern && <Resume needsAnother={needsAnother} resume={resume} />}
    </section>
  );
}

/** One line of it; all of it a press away. */
function Reason({ reason, by }: { reason: string; by: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)} aria-label={`Why: ${reason}`} className="min-h-6 min-w-0 truncate text-left text-ink hover:underline coarse:min-h-11">“{reason}”</button>
      <Dialog open={open} onOpenChange={setOpen} title={`Why ${by} paused`}>
        <p className="[overflow-wrap:anywhere] whitespace-pre-wrap">{reason}</p>
        <div className="mt-4 flex justify-end"><Button onClick={() => setOpen(false)}>Go back</Button></div>
      </Dialog>
    </>
  );
}

function Resume({ needsAnother, resume }: { needsAnother: boolean; resume: FormAction<void> }) {
  const queries = useQueryClient();
  const id = useId();
  const { busy, refused, form } = useForm(resume, () => void queries.invalidateQueries(standingQuery()));
  return (
    <form {...form} className="ml-auto flex flex-none items-center gap-3 one:flex-wrap">
      <RefusedNote refused={refused} notDone="Still paused." />
      {needsAnother && <span id={id} className="text-ink-2">You paused, so another admin resumes.</span>}
      <Button type="submit" size="small" aria-busy={busy} disabled={busy || needsAnother} aria-describedby={needsAnother ? id : undefined}>{busy ? "Resuming…" : "Resume"}</Button>
    </form>
  );
}
