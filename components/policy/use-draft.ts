"use client";

import { useMemo, useState } from "react";
import type { Policy, PublishedRules } from "@/lib/guardrails/schema";
import { diffOf } from "./diff";
import { draftOf, readDraft, readRules, rollBackTo, type Draft, type Read } from "./draft";

/** What is edited as JSON, and cannot be read as a policy yet. */
type Raw = { text: string; read: Read };

/** A draft of the policy: what is in force until something is typed. `edit` gets the draft as it is and gives the next. */
export function useDraft({ version, rules: inForce }: Policy) {
  const [edited, setEdited] = useState<Draft | null>(null);
  /** The version that was in force when the draft was begun. */
  const [begunOn, setBegunOn] = useState(version);
  const [raw, setRaw] = useState<Raw | null>(null);
  const [kept, setKept] = useState<{ version: number; rules: string[] } | null>(null);
  const untouched = useMemo(() => draftOf(inForce), [inForce]);
  const draft = edited ?? untouched;
  const read = useMemo(() => raw?.read ?? readDraft(draft), [raw, draft]);
  const differences = useMemo(() => (read.rules ? diffOf(inForce, read.rules) : []), [inForce, read]);

  const touched = edited !== null || raw !== null;
  const begin = () => { if (!touched) setBegunOn(version); };
  const start = (next: Draft | null, from: typeof kept = null) => {
    setBegunOn(version);
    setEdited(next);
    setRaw(null);
    setKept(from);
  };
  return {
    draft, read, differences, kept, raw: raw?.text ?? null,
    touched,
    /** Another version came into force since the draft was begun. */
    overtaken: touched && begunOn !== version,
    edit: (change: (draft: Draft) => Draft) => {
      begin();
      setEdited(change(draft));
    },
    /** JSON that is a policy goes on as the form's draft; what is none yet is kept as it was typed. */
    editJson: (text: string) => {
      begin();
      const next = readJson(text);
      if (next.rules) setEdited(draftOf(next.rules));
      setRaw({ text, read: next });
    },
    leaveJson: () => setRaw(null),
    discard: () => start(null),
    rollBack: (to: number, older: PublishedRules) => {
      const back = rollBackTo(older, inForce);
      start(back.draft, back.kept.length > 0 ? { version: to, rules: back.kept } : null);
    },
  };
}

export type DraftHeld = ReturnType<typeof useDraft>;

function readJson(text: string): Read {
  try {
    return readRules(JSON.parse(text));
  } catch (error) {
    return { rules: null, errors: { "": error instanceof Error ? error.message : "not JSON" } };
  }
}
