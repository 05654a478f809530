import type { ReactNode } from "react";
import type { ChangeView } from "@/lib/changes/view";
import { Glyph } from "@/components/ui/glyph";
import { ShortHash } from "@/components/ui/hash";
import { moneyText } from "@/components/ui/money";
import { RecentTime, Time } from "@/components/ui/time";
import { localWords } from "@/lib/browser/times";
import { failureWords, movedWords, notDone, paidWords, refusedWords } from "../words";
import type { BarState } from "./bar-state";

/** The line above the signatures: what a name binds to, or what did not happen and why. */
export function BarWords({ change, state }: { change: ChangeView; state: BarState }) {
  switch (state.kind) {
    case "open":
      return (
        <Line className="phone:hidden">
          <Glyph name="info" className="mr-1 size-3.5" />Your name goes under exactly this: content <ShortHash hex={change.digest} /> and the figures above. <span className="text-ink-3">If either moves, nothing is signed.</span>
        </Line>
      );
    case "refused": {
      const { why, figures, consequence } = refusedWords(state.answer);
      return <Alert head={`${notDone(state.deed)} ${why}`}>{figures && `${figures} ${asks(change)} `}{consequence}</Alert>;
    }
    case "moved": return <Alert head="The figures moved while you looked.">{movedWords(state.moved)} {asks(change)} Nothing is signed on the old ones.</Alert>;
    case "lost": return <Alert head="No answer from the server.">We do not know yet whether this was written. It is being looked up; nothing is sent twice.</Alert>;
    case "failed": return change.failure && <Alert head={<>Failed to apply at <RecentTime at={change.failure.at} />.</>}>{failureWords(change)}</Alert>;
    case "decided": return change.signatures.length > 0 && <Line><Outcome change={change} /></Line>;
    case "scheduled": return <Line><Scheduled {...state.schedule} /></Line>;
    case "signing":
    case "blocked":
    case "counting": return null;
  }
}

function Scheduled({ at, local, zone, by }: NonNullable<ChangeView["schedule"]>) {
  if (at === null) return <><Glyph name="pause" className="mr-1 size-3.5" />Approved, and held until a time is set. Nothing is applied before.</>;
  return (
    <>
      <Glyph name="clock" className="mr-1 size-3.5" />
      Applied on <b className="font-semibold text-ink">{localWords(local)}, {zone}</b> (<Time at={at} as="full" />), as {by} set it. It is judged again then.
    </>
  );
}

const asks = (change: ChangeView): string => `This change asks for ${moneyText(change.amountMinor, change.currency)}.`;

const Line = ({ children, className = "" }: { children: ReactNode; className?: string }) => <p className={`col-span-full text-xs text-ink-2 ${className}`}>{children}</p>;

function Alert({ head, children }: { head: ReactNode; children: ReactNode }) {
  return (
    <div role="alert" className="col-span-full text-xs text-ink-2">
      <b className="font-semibold text-failed"><Glyph name="warning" className="mr-1 size-3.5" />{head}</b> {children}
    </div>
  );
}

/** How a change ended, in one sentence and its consequence. */
export function Outcome({ change }: { change: ChangeView }) {
  const last = change.entries.toSorted((a, b) => b.seq - a.seq)[0];
  const at = last ? <RecentTime at={last.at} /> : null;
  switch (change.state) {
    case "rejected": return <>Rejected by {change.rejection?.name ?? last?.who} at {at}. No money moved.{change.rejection?.reason && <> “<bdi>{change.rejection.reason}</bdi>”</>}</>;
    case "withdrawn": return <>Withdrawn by {last?.who} at {at}. {paidWords(change)}</>;
    case "expired": return <>Expired on <Time at={change.expiresAt} as="date" />: not signed in time. No money moved.</>;
    case "applied": return <>Applied at {at}. {moneyText(change.amountMinor, change.currency)} went out once.</>;
    case "applying":
      return change.applying?.unclear
        ? <>No clear answer from the platform since {at}. {change.applying.done} of {change.applying.items} lines are done. It is being looked up; nothing is sent twice.</>
        : <>Applying since {at}.</>;
    case "approved": return <>Approved at {at}. It is about to take effect.</>;
    case "staged":
    case "failed": return <>Written to the log.</>;
  }
}
