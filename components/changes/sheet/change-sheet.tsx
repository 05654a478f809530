"use client";

import { useEffect, useRef, useState } from "react";
import type { ChangeState } from "@/lib/changes/lifecycle";
import type { ChangeView } from "@/lib/changes/view";
import { Problem } from "@/lib/browser/problem";
import { useShortcuts } from "@/lib/browser/shortcuts";
import { Empty } from "@/components/ui/empty";
import { Failure } from "@/components/ui/failure";
import { usePreferences } from "@/components/ui/preferences";
import { SkeletonSheet } from "@/components/ui/skeleton";
import { barState } from "../decision/bar-state";
import { DecisionBar } from "../decision/decision-bar";
import { RejectDialog } from "../decision/reject-dialog";
import { ScheduleDialog } from "../decision/schedule-dialog";
import { TrimForm } from "../decision/trim-form";
import { useDecisions, type Said } from "../decisions";
import type { Deed } from "../words";
import { Beside } from "./beside";
import { Guardrails } from "./guardrails";
import { Head, orderNumberOf } from "./head";
import { Lines } from "./lines";
import { Note, readNote } from "./note";
import { ChangePayment } from "./change-payment";
import { SinceProposed } from "./since-proposed";
import { useShownChange, type Moved } from "./shown-change";

type Props = {
  id: string;
  initial: ChangeView | undefined;
  /** Moved on by a key or a decision: the title takes the focus, so that it is read out. */
  takeFocus: boolean;
  onDecide: (deed: Deed, change: ChangeView, said?: Said) => void;
  onNext: (() => void) | null;
};

/** One change, from its title to the line that waits for a name. */
export function ChangeSheet({ id, initial, takeFocus, onDecide, onNext }: Props) {
  const { change, moved, error, lookAgain } = useShownChange(id, initial);
  if (change) return <LoadedSheet key={change.id} {...{ change, moved, lookAgain, takeFocus, onDecide, onNext }} />;
  if (error instanceof Problem && error.status === 404) return <Empty fact="There is no such change.">It may belong to another merchant, or its address is incomplete.</Empty>;
  if (error) {
    const reference = error instanceof Problem ? error.requestId : undefined;
    return <Failure what="This change could not be read." notDone="Nothing was signed and no money moved." retry={lookAgain} reference={reference} />;
  }
  return <SkeletonSheet label="Loading the change" />;
}

/** What has ended is not judged any more. */
const JUDGED: ReadonlySet<ChangeState> = new Set(["staged", "approved", "applying", "failed"]);

type Loaded = Pick<Props, "takeFocus" | "onDecide" | "onNext"> & { change: ChangeView; moved: Moved[]; lookAgain: () => void };

function LoadedSheet({ change, moved, lookAgain, takeFocus, onDecide, onNext }: Loaded) {
  const { of, forget } = useDecisions();
  const { shortcuts } = usePreferences();
  const sheet = useRef<HTMLDivElement>(null);
  const armed = useArmed();
  const [rejecting, setRejecting] = useState(false);
  const [timing, setTiming] = useState(false);
  const [trimming, setTrimming] = useState(false);
  const pending = of(change.id);
  const state = barState(change, moved, pending);
  const read = readNote(change);

  useEffect(() => {
    document.title = `Refund to order ${orderNumberOf(change)}, Undersigned`;
  }, [change]);

  useEffect(() => {
    if (takeFocus) document.getElementById("change-title")?.focus({ preventScroll: true });
  }, [takeFocus]);

  const onScreen = () => armed.current && (sheet.current?.checkVisibility?.() ?? true);
  const decide = (deed: Deed, said?: Said) => onScreen() && onDecide(deed, change, said);
  const mayTrim = state.kind === "open" || (state.kind === "blocked" && state.mayTrim === true);
  // While it is being lowered, nothing else may be pressed: one thing is signed, not another.
  const trims = trimming && (mayTrim || state.kind === "moved" || pending?.deed === "trim");
  const quiet = trims && mayTrim; // its form has the words and the buttons
  const mayTime = trims ? false : state.kind === "open" ? change.have + 1 >= change.required : state.kind === "scheduled" && state.mayChange;
  const mayReject = !trims && (state.kind === "open" || (state.kind === "blocked" || state.kind === "scheduled") && state.mayReject);
  const startTrim = () => onScreen() && setTrimming(true);
  useShortcuts(
    {
      ...(mayTrim && !trims && { l: startTrim }),
      ...(state.kind === "open" && !trims && { a: () => decide("approve") }),
      ...(mayReject && { r: () => onScreen() && setRejecting(true) }),
      ...((state.kind === "counting" || state.kind === "scheduled") && state.mine && { z: () => decide("retract") }),
    },
    shortcuts,
  );

  return (
    <div ref={sheet} className="flex min-h-0 flex-1 flex-col" data-digest={change.digest}>
      <div className="quiet-scroll grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_18.5rem] overflow-auto mid:grid-cols-1 mid:content-start one:overflow-visible">
        <div className="min-w-0 px-6 py-3 one:px-4">
          <Head change={change} marks={read.marks} />
          <ChangePayment change={change} />
          <Lines change={change} />
          {JUDGED.has(change.state) && <Guardrails change={change} />}
          <Note read={read} person={change.origin.byPerson ? change.origin.stager : null} />
          <SinceProposed change={change} />
        </div>
        <Beside change={change} />
      </div>
      {trims && (
        <TrimForm
          change={change}
          pending={pending}
          moved={state.kind === "moved"}
          onCancel={() => { setTrimming(false); if (pending?.phase === "answered") forget(change.id); }}
          onTyped={() => pending?.phase === "answered" && forget(change.id)}
          onTrim={(lowered) => onDecide("trim", change, { lowered })}
        />
      )}
      {!quiet && (
        <DecisionBar
          {...{ change, state, pending, onNext }}
          onDecide={decide}
          onReject={() => onScreen() && setRejecting(true)}
          onTime={mayTime ? () => onScreen() && setTiming(true) : null}
          onTrim={startTrim}
          onLookAgain={() => { forget(change.id); lookAgain(); }}
        />
      )}
      <RejectDialog change={change} open={rejecting && mayReject} onOpenChange={setRejecting} onReject={(rejection) => { setRejecting(false); onDecide("reject", change, rejection); }} />
      <ScheduleDialog change={change} open={timing && mayTime} onOpenChange={setTiming} onSet={(time) => { setTiming(false); onDecide(state.kind === "open" ? "approve" : "schedule", change, time); }} />
    </div>
  );
}

/** In milliseconds. */
export const MOMENT = 350;

/** False for a moment after a change has opened: the second press of a double click was meant for the one before. */
function useArmed() {
  const armed = useRef(false);
  useEffect(() => {
    const timer = setTimeout(() => { armed.current = true; }, MOMENT);
    return () => clearTimeout(timer);
  }, []);
  return armed;
}
