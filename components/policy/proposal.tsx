"use client";

import type { PolicyView, ProposalView } from "@/lib/guardrails/policy-view";
import { DeedDialog } from "@/components/forms/deed-dialog";
import { DeedForm } from "@/components/forms/deed-form";
import { Button } from "@/components/ui/button";
import { Glyph } from "@/components/ui/glyph";
import { RecentTime } from "@/components/ui/time";
import type { PolicyActions } from "./actions";
import { confirmers } from "./confirmers";
import { diffOf } from "./diff";
import { DiffList } from "./diff-list";

type Props = { view: PolicyView; proposal: ProposalView; actions: PolicyActions; onTry: () => void; onConfirmed: (version: number | null) => void; onEnded: () => void };

/** What one admin proposed and another has yet to confirm. */
export function Proposal({ view, proposal, actions, onTry, onConfirmed, onEnded }: Props) {
  const { by, at, mine, digest, rules } = proposal;
  const next = view.inForce.version + 1;
  return (
    <section aria-labelledby="proposal" className="mt-4 border border-second border-t-4 bg-sheet px-4 pt-2 pb-3">
      <h2 id="proposal" className="flex items-center gap-2 font-semibold text-second"><Glyph name="second" />{mine ? (view.needsAnother ? "Your proposal waits for another admin" : "Your proposal waits, and no other admin is left") : "A policy waits for a second admin"}</h2>
      <p className="text-ink-2">Proposed by {by}, <RecentTime at={at} today="minute" />. Version {view.inForce.version} is in force until it is confirmed{mine && view.needsAnother ? ` by ${confirmers(view)}` : ""}.</p>
      <div className="mt-1.5 max-w-2xl"><DiffList differences={diffOf(view.inForce.rules, rules)} none="It changes nothing." /></div>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button onClick={onTry}>Try it</Button>
        {view.mayGovern && (
          <>
            <DeedDialog word={mine ? "Take back…" : "Decline…"} title={mine ? "Take back your proposal" : `Decline the proposal of ${by}`} look="no">
              {({ close }) => (
                <DeedForm action={actions.decline} hidden={{ digest }} onDone={() => { close(); onEnded(); }} onCancel={close} deed={mine ? "Take back" : "Decline"} doing="Ending it…" notDone="The proposal still waits." look="noSolid">
                  <p className="text-ink-2">Version {view.inForce.version} stays in force. The proposal stays in the log.</p>
                </DeedForm>
              )}
            </DeedDialog>
            {(!mine || !view.needsAnother) && (
              <DeedDialog word="Confirm…" title={`Put version ${next} in force`} look="primary">
                {({ close }) => (
                  <DeedForm action={actions.confirm} hidden={{ digest }} onDone={({ version }) => { close(); onConfirmed(version); }} onCancel={close} deed="Confirm" doing="Confirming…" notDone={`Version ${view.inForce.version} is in force still.`}>
                    <div className="max-h-[40vh] overflow-auto"><DiffList differences={diffOf(view.inForce.rules, rules)} none="It changes nothing." /></div>
                    <p className="text-ink-2">It is in force at once, with both names in the log.</p>
                  </DeedForm>
                )}
              </DeedDialog>
            )}
          </>
        )}
      </div>
    </section>
  );
}
