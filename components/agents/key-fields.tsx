"use client";

import { useState } from "react";
import type { AgentsView } from "@/lib/identity/queries";
import { ShownOnce } from "@/components/forms/shown-once";
import { SelectField } from "@/components/ui/field";
import { Glyph } from "@/components/ui/glyph";
import { mayNotWords } from "./may-not";

const TERMS = [
  { value: "30", word: "30 days" },
  { value: "90", word: "90 days" },
  { value: "365", word: "a year" },
];

type Props = { view: Pick<AgentsView, "people" | "viewer">; owner: string; /** Who is barred already, whoever owns it next. */ before?: readonly string[]; error: (name: string) => string | undefined };

/** Owner and term of a key, and what owning it takes away. */
export function OwnerAndTerm({ view: { people, viewer }, owner, before = [], error }: Props) {
  const [chosen, setChosen] = useState(owner);
  const { mayNot, left } = mayNotWords([...new Set([...before, chosen, viewer])], people, viewer);
  return (
    <>
      <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
        <SelectField label="Owner" name="ownerId" value={chosen} onChange={(event) => setChosen(event.target.value)} options={people.map(({ personId, name }) => ({ value: personId, word: personId === viewer ? `${name}, you` : name }))} error={error("ownerId")} />
        <SelectField label="Works for" name="days" defaultValue="90" options={TERMS} error={error("days")} />
      </div>
      <p role="status" className="flex gap-1.5 border-l-4 border-second bg-second-tint px-3 py-2 text-second"><Glyph name="info" className="mt-0.5 size-4" /><span>{mayNot} {left}</span></p>
    </>
  );
}

export function ShownSecret({ agent, secret }: { agent: string; secret: string }) {
  return (
    <ShownOnce label={`Key of ${agent}`} text={secret}>
      The agent sends it with every request, as <span className="mono">Authorization: Bearer</span>.
    </ShownOnce>
  );
}
