"use client";

import type { ChangeView, Signature } from "@/lib/changes/view";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { moneyText } from "@/components/ui/money";
import { blockedWords, type Deed } from "../words";
import type { Said } from "../decisions";
import type { BarState, Pending } from "./bar-state";
import { BarWords, Outcome } from "./bar-words";
import { Countdown, TakesEffect } from "./countdown";
import { Signatures } from "./signatures";

type Props = {
  change: ChangeView;
  state: BarState;
  pending: Pending | undefined;
  onDecide: (deed: Deed, said?: Said) => void;
  onReject: () => void;
  /** Where the viewer may choose when it is applied. */
  onTime: (() => void) | null;
  onTrim: () => void;
  onLookAgain: () => void;
  /** On one pane: to the next change. */
  onNext: (() => void) | null;
};

/** The foot of the document: always there, same place, one state at a time. */
export function DecisionBar(props: Props) {
  const { change, state, pending } = props;
  const fresh = freshSignature(change, pending);
  const bar = (
    <footer aria-label="Decision" className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-x-6 gap-y-0.5 border-t border-rule-strong bg-sheet px-6 pt-1.5 pb-2.5 mid:grid-cols-1 one:sticky one:bottom-0 one:z-10 one:px-4 phone:pb-4">
      <BarWords change={change} state={state} />
      <Left change={change} state={state} fresh={fresh} />
      <div className="flex flex-wrap items-center justify-end gap-2 mid:mt-2 phone:[&>button]:h-12 phone:[&>button]:grow phone:[&>button]:text-md"><Acts {...props} /></div>
    </footer>
  );
  if (state.kind !== "counting") return bar;
  return <>{bar}<Countdown effect={state.effect}>{(_, rest) => <div className="one:fixed one:inset-x-0 one:bottom-0 one:z-20">{rest}</div>}</Countdown></>;
}

/** Ink follows the entry: only an answer that carries its leaf hash gives a stroke. */
function freshSignature(change: ChangeView, pending: Pending | undefined): Signature | null {
  if (pending?.phase !== "answered" || pending.answer.status !== "done") return null;
  const { verb, leafHash, at } = pending.answer;
  return verb === "approve" || verb === "endorse" ? { personId: change.viewer.personId, name: change.viewer.name, at, leafHash, mine: true } : null;
}

function Left({ change, state, fresh }: { change: ChangeView; state: BarState; fresh: Signature | null }) {
  if (state.kind === "blocked" && !fresh) {
    return (
      <div className="self-center">
        {change.signatures.length > 0 && <Signatures change={change} fresh={null} mine={false} />}
        <p className="mt-1 text-ink-2">{state.paused ? "Paused: nothing can be signed until an admin resumes." : blockedWords(state.code, state.whoCan, change.mayNot.find(({ personId }) => personId === change.viewer.personId)?.because)}</p>
      </div>
    );
  }
  if (state.kind === "decided" && change.signatures.length === 0 && !fresh) return <p className="self-center text-ink-2"><Outcome change={change} /></p>;
  const mine = (state.kind === "open" || state.kind === "signing" || state.kind === "refused" || state.kind === "moved" || state.kind === "lost") && !change.signatures.some((signature) => signature.mine);
  const counted = state.kind === "decided" || state.kind === "counting" || state.kind === "scheduled" || state.kind === "failed" ? { ...change, required: Math.max(change.signatures.length, fresh ? 1 : 0) } : change;
  return <Signatures change={counted} fresh={fresh} mine={mine} />;
}

function Acts({ change, state, onDecide, onReject, onTrim, onTime, onLookAgain, onNext }: Props) {
  const amount = moneyText(change.amountMinor, change.currency);
  const next = onNext && <span className="hidden one:flex phone:flex-1"><Button look="primary" className="phone:h-12 phone:flex-1 phone:text-md" onClick={onNext}>Next change</Button></span>;
  switch (state.kind) {
    case "open":
      return (
        <>
          <Button onClick={onTrim}>Lower…<Kbd>l</Kbd></Button>
          <Button look="no" onClick={onReject}>Reject…<Kbd>r</Kbd></Button>
          {onTime && <Button onClick={onTime}>Later…</Button>}
          <Button look="primary" className="phone:flex-1" onClick={() => onDecide("approve")}>Approve {amount}<Kbd>a</Kbd></Button>
        </>
      );
    case "signing": return <Button look="primary" className="phone:flex-1" aria-busy="true" disabled>{state.deed === "approve" || state.deed === "trim" ? "Signing…" : "Writing…"}</Button>;
    case "lost": return <Button disabled aria-busy="true">Looking it up…</Button>;
    case "refused":
    case "moved": return <Button className="phone:flex-1" onClick={onLookAgain}>Look again</Button>;
    case "blocked": return <>{state.mayTrim && <Button onClick={onTrim}>Lower…<Kbd>l</Kbd></Button>}{state.mayReject && <Button look="no" onClick={onReject}>Reject…<Kbd>r</Kbd></Button>}{next}</>;
    case "counting":
      return (
        <Countdown effect={state.effect}>
          {(seconds) => (
            <>
              <span className="mr-2 text-ink-2 phone:mr-auto"><TakesEffect seconds={seconds} /></span>
              {state.mine && seconds > 0 && <Button onClick={() => onDecide("retract")}>Take back<Kbd>z</Kbd></Button>}
              {next}
            </>
          )}
        </Countdown>
      );
    case "scheduled":
      return (
        <>
          {state.mayReject && <Button look="no" onClick={onReject}>Reject…<Kbd>r</Kbd></Button>}
          {state.mine && <Button onClick={() => onDecide("retract")}>Take back<Kbd>z</Kbd></Button>}
          {onTime && state.schedule.at && <Button onClick={() => onDecide("schedule", { when: "none" })}>No time yet</Button>}
          {onTime && <Button onClick={onTime}>{state.schedule.at ? "Another time…" : "Set a time…"}</Button>}
          {onTime && !state.schedule.at && <Button look="primary" onClick={() => onDecide("schedule", { when: "next" })}>Apply now</Button>}
          {next}
        </>
      );
    case "failed":
      return (
        <>
          <Badge glyph="warning" tone="failed">Failed</Badge>
          {state.mayAct && <Button onClick={() => onDecide("withdraw")}>Withdraw</Button>}
          {state.mayAct && <Button look="primary" onClick={() => onDecide("retry")}>Try again</Button>}
        </>
      );
    case "decided": return next;
  }
}
