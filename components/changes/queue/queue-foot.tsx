"use client";

import type { ReactNode } from "react";
import { ParaphStroke } from "@/components/marks/paraph-stroke";
import { Button } from "@/components/ui/button";
import { Glyph } from "@/components/ui/glyph";
import { Kbd } from "@/components/ui/kbd";
import { moneyText } from "@/components/ui/money";
import { effectOf } from "../decision/bar-state";
import { Countdown, TakesEffect } from "../decision/countdown";
import { useDecisions, type Decision } from "../decisions";
import { orderNumberOf } from "../sheet/head";
import { notDone, refusedWords } from "../words";

/** As many lines as are shown; the rest is counted. */
const LINES = 3;

type Props = { /** What is on screen has its own bar. */ onScreen: string | null; onTakeBack: (decision: Decision) => void; onOpen: (id: string) => void };

/** What was decided in the last seconds, always in the same corner: signing, then ink and the countdown. */
export function QueueFoot({ onScreen, onTakeBack, onOpen }: Props) {
  const { all, forget } = useDecisions();
  // What can still be taken back comes first; what is settled gives way.
  const newest = all.filter(({ change }) => change.id !== onScreen).toReversed().toSorted((a, b) => Number(effectOf(b) !== null) - Number(effectOf(a) !== null));
  const takeable = newest.find(effectOf);
  return (
    <div role="status" aria-label="Taking effect" className="one:sticky one:bottom-0">
      {newest.length > 0 && (
        <ul className="border-t border-rule-strong bg-sheet">
          {newest.slice(0, LINES).map((decision) => (
            <li key={decision.change.id}>
              <FootLine decision={decision} withKey={decision === takeable} onTakeBack={onTakeBack} onOpen={onOpen} onForget={forget} />
            </li>
          ))}
          {newest.length > LINES && <li className="px-3 pb-2 pl-[2.875rem] text-ink-2">and {newest.length - LINES} more</li>}
        </ul>
      )}
    </div>
  );
}

type LineProps = { decision: Decision; withKey: boolean; onTakeBack: (decision: Decision) => void; onOpen: (id: string) => void; onForget: (id: string) => void };

function FootLine({ decision, withKey, onTakeBack, onOpen, onForget }: LineProps) {
  const { change } = decision;
  const title = <><b className="font-semibold">{orderNumberOf(change)}</b> {moneyText(change.amountMinor, change.currency)}</>;
  if (decision.phase === "sent") {
    return <Row glyph={<Glyph name="waiting" />} title={title} words={decision.deed === "approve" ? "Signing…" : "Writing…"}><EmptyLine /></Row>;
  }
  if (decision.phase === "lost") return <Row glyph={<span className="text-failed"><Glyph name="warning" /></span>} title={title} words="No answer yet. It is being looked up; nothing is sent twice." />;
  const { answer } = decision;
  if (answer.status === "refused") {
    const { why, figures } = refusedWords(answer);
    return (
      <Row glyph={<span className="text-failed"><Glyph name="warning" /></span>} title={title} words={<span className="text-failed">{notDone(decision.deed)} {why} {figures}</span>}>
        <Button size="small" onClick={() => { onForget(change.id); onOpen(change.id); }}>Look again</Button>
      </Row>
    );
  }
  const effect = effectOf(decision);
  if (!effect) {
    return <Row glyph={<span className={DONE[answer.verb].colour}><Glyph name={DONE[answer.verb].glyph} /></span>} title={title} words={answer.verb === "schedule" && !answer.effectiveAt ? "Held until a time is set" : DONE[answer.verb].words}>{INKED.has(answer.verb) && <ParaphStroke leafHash={answer.leafHash} fresh className="h-[21px] w-[76px] stroke-[1.8]" />}</Row>;
  }
  return (
    <Countdown effect={effect}>
      {(seconds, bar) => (
        <>
          <Row glyph={<span className="text-approved"><Glyph name="approved" says="Approved" /></span>} title={title} words={<TakesEffect seconds={seconds} />}>
            <ParaphStroke leafHash={answer.leafHash} fresh className="h-[18px] w-[60px] stroke-[1.8] mid:hidden" />
            {seconds > 0 && <Button size="small" onClick={() => onTakeBack(decision)}>Take back{withKey && <Kbd>z</Kbd>}</Button>}
          </Row>
          {bar}
        </>
      )}
    </Countdown>
  );
}

const INKED: ReadonlySet<string> = new Set(["approve", "endorse", "reject"]);
const DONE = {
  approve: { glyph: "approved", colour: "text-approved", words: "Approved for later" },
  endorse: { glyph: "second", colour: "text-second", words: "Signed, one more needed" },
  schedule: { glyph: "clock", colour: "text-approved", words: "Time set" },
  reject: { glyph: "rejected", colour: "text-rejected", words: "Rejected, no money moved" },
  retract: { glyph: "back", colour: "text-staged", words: "Taken back, no money moved" },
  retry: { glyph: "applying", colour: "text-applying", words: "Trying again" },
  withdraw: { glyph: "back", colour: "text-expired", words: "Withdrawn, no money moved" },
} as const;

function Row({ glyph, title, words, children }: { glyph: ReactNode; title: ReactNode; words: ReactNode; children?: ReactNode }) {
  return (
    <div className="sheet-in grid grid-cols-[2.125rem_minmax(0,1fr)_auto] items-center gap-x-3 py-2 pr-3">
      <span className="justify-self-center">{glyph}</span>
      <p className="leading-[1.125rem]">{title}<br /><span className="text-ink-2">{words}</span></p>
      <span className="flex items-center gap-2">{children}</span>
    </div>
  );
}

const EmptyLine = () => <span className="mb-0.5 h-[21px] w-[76px] border-b-[1.5px] border-ink" />;
