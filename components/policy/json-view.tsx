"use client";

import { TextArea } from "@/components/ui/field";
import type { Errors } from "./draft";

/** The draft as it would stand in the log; what the form cannot say can be said here. */
export function JsonView({ text, errors, onText }: { text: string; errors: Errors; onText: ((text: string) => void) | null }) {
  const wrong = Object.entries(errors).map(([path, words]) => (path === "" ? words : `${path}: ${words}`));
  return (
    <div className="mt-3">
      <TextArea
        label="The rules as JSON, amounts in minor units" rows={Math.min(40, text.split("\n").length + 1)} value={text} readOnly={onText === null} spellCheck={false} autoComplete="off" className="mono"
        onChange={(event) => onText?.(event.target.value)} error={wrong.length > 0 ? wrong.slice(0, 5).join("; ") : undefined}
      />
    </div>
  );
}

export const jsonOf = (candidate: unknown): string => JSON.stringify(candidate, null, 2);
