import type { Refused } from "@/lib/edge/form-state";
import { REFUSALS, type RefusalCode } from "@/lib/kernel/refusal";
import { Glyph } from "@/components/ui/glyph";

/** Said in other words to a person than to an agent. */
const WORDS: Partial<Record<RefusalCode, string>> = {
  unauthenticated: "You are not signed in any more",
  invalid_input: "Something here does not fit",
  not_found: "It is not there any more",
};

const full = ({ code, message }: Refused): string => {
  const said = message === REFUSALS[code].title ? (WORDS[code] ?? message) : message;
  return said.endsWith(".") ? said : `${said}.`;
};

/** What was refused and why, and what did not happen, where that is known. What is wrong with a field stands beside the field. */
export function RefusedNote({ refused, notDone }: { refused: Refused | null; notDone: string }) {
  return (
    <div role="alert" className="empty:hidden">
      {refused && <p className="flex gap-1.5 text-failed"><Glyph name="warning" className="mt-0.5 size-4" />{full(refused)} {!refused.reference && notDone}</p>}
    </div>
  );
}
