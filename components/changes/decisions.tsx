"use client";

import { useQueryClient } from "@tanstack/react-query";
import { createContext, use, useCallback, useMemo, useState, useTransition, type ReactNode } from "react";
import type { ChangeView, DecisionState } from "@/lib/changes/view";
import { changeQuery } from "@/lib/browser/queries";
import type { Pending } from "./decision/bar-state";
import type { Deed, Rejection, Timing, Trim } from "./words";

export type Actions = Record<Deed, (previous: DecisionState, form: FormData) => Promise<DecisionState>>;

/** What a form carries beside what was seen. */
export type Said = Rejection | Timing | Trim;

/** A deed and the change as it was when it was pressed. */
export type Decision = Pending & { change: ChangeView };

type Decisions = {
  /** The viewer's last deed on each change, oldest first. */
  all: readonly Decision[];
  of: (changeId: string) => Decision | undefined;
  decide: (deed: Deed, change: ChangeView, said?: Said) => Promise<Decision>;
  forget: (changeId: string) => void;
};

const Context = createContext<Decisions | null>(null);

export function useDecisions(): Decisions {
  const decisions = use(Context);
  if (!decisions) throw new Error("DecisionsProvider is missing");
  return decisions;
}

/** Carries decisions to the server and keeps what became of them, whichever change is on screen meanwhile. */
export function DecisionsProvider({ actions, children }: { actions: Actions; children: ReactNode }) {
  const client = useQueryClient();
  const [all, setAll] = useState<readonly Decision[]>([]);
  const [, startTransition] = useTransition();

  const keep = useCallback((decision: Decision) => setAll((before) => [...before.filter(({ change }) => change.id !== decision.change.id), decision]), []);
  const forget = useCallback((changeId: string) => setAll((before) => before.filter(({ change }) => change.id !== changeId)), []);

  const decide = useCallback(
    async (deed: Deed, change: ChangeView, said?: Said): Promise<Decision> => {
      keep({ phase: "sent", deed, change });
      const sentAt = Date.now();
      const answered = await send(actions[deed], formOf(deed, change, said), startTransition)
        .then((answer): Decision => ({ phase: "answered", deed, change, answer, sentAt }))
        .catch((): Decision => ({ phase: "lost", deed, change }));
      const unsure = isUnsure(answered);
      keep(unsure ? { phase: "lost", deed, change } : answered);
      void client.invalidateQueries({ queryKey: ["changes"] });
      if (deed === "trim" && answered.phase === "answered" && answered.answer.status === "done") {
        // What was signed is the change that took its place: what may be taken back is there.
        const signed = await client.fetchQuery({ ...changeQuery(answered.answer.changeId), staleTime: 0 }).catch(() => null);
        void client.invalidateQueries({ queryKey: changeQuery(change.id).queryKey });
        if (!signed) return answered;
        forget(change.id);
        const instead: Decision = { ...answered, deed: "approve", change: signed };
        keep(instead);
        return instead;
      }
      if (!unsure) {
        void client.invalidateQueries({ queryKey: changeQuery(change.id).queryKey });
        return answered;
      }
      const found = await lookUp(deed, change, () => client.fetchQuery({ ...changeQuery(change.id), staleTime: 0 }));
      if (found === "written") {
        forget(change.id);
        return { phase: "lost", deed, change };
      }
      const told = answered.phase === "lost" ? nothingWritten(deed, change) : answered;
      keep(told);
      return told;
    },
    [actions, client, forget, keep],
  );

  const value = useMemo<Decisions>(() => ({ all, of: (changeId) => all.find(({ change }) => change.id === changeId), decide, forget }), [all, decide, forget]);
  return <Context value={value}>{children}</Context>;
}

/** What was seen goes along: the server signs nothing else. */
function formOf(deed: Deed, change: ChangeView, said: Said | undefined): FormData {
  const form = new FormData();
  form.set("changeId", change.id);
  form.set("seenDigest", change.digest);
  if (deed === "approve" || deed === "trim") {
    form.set("seenFactsDigest", change.factsDigest);
    form.set("seenFigures", change.figures);
  }
  for (const [name, value] of Object.entries(said ?? {})) form.set(name, typeof value === "string" ? value : JSON.stringify(value));
  return form;
}

const PAUSE = 3000;
const LOOKS = 3;

/** The answer was lost, so it is looked up; nothing is sent twice. What does not stand there after several looks was, so far, not written. */
async function lookUp(deed: Deed, change: ChangeView, read: () => Promise<ChangeView>): Promise<"written" | "not written"> {
  for (let unchanged = 0; unchanged < LOOKS; ) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    const now = await read().catch(() => null);
    if (now && bears(deed, change, now)) return "written";
    if (now) unchanged += 1;
  }
  return "not written";
}

/** Whether the viewer's own deed is on the change now: a move by someone else says nothing about theirs. */
function bears(deed: Deed, before: ChangeView, now: ChangeView): boolean {
  const signed = (change: ChangeView) => change.signatures.some(({ mine }) => mine);
  switch (deed) {
    case "approve": return signed(now) && !signed(before);
    case "trim": return now.origin.replacedBy?.trimmedBy === now.viewer.name;
    case "retract": return !signed(now) && signed(before);
    case "reject": return now.state === "rejected" && now.rejection?.name === now.viewer.name;
    case "withdraw": return now.state === "withdrawn";
    case "schedule": return now.state === "approved" && now.revision !== before.revision;
    case "retry": return now.revision !== before.revision && now.state !== "withdrawn";
  }
}

/** No answer, or a fault at the other end: it may have been written all the same. */
const isUnsure = (decision: Decision): boolean =>
  decision.phase === "lost" || (decision.phase === "answered" && decision.answer.status === "refused" && decision.answer.reference !== undefined);

const nothingWritten = (deed: Deed, change: ChangeView): Decision => ({
  phase: "answered", deed, change, sentAt: Date.now(),
  answer: { status: "refused", code: "unavailable", message: "No answer came, and so far the log shows nothing of it", moved: [], fields: {}, values: {}, changeId: change.id },
});

type Answered = Exclude<DecisionState, { status: "idle" }>;

function send(action: Actions[Deed], form: FormData, startTransition: (callback: () => Promise<void>) => void): Promise<Answered> {
  return new Promise((resolve, reject) => {
    startTransition(async () => {
      try {
        const answer = await action({ status: "idle" }, form);
        if (answer.status === "idle") throw new Error("a decision has an answer");
        resolve(answer);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
}
