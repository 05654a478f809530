import type { Refused } from "@/lib/edge/form-state";
import { Glyph } from "@/components/ui/glyph";

const full = (sentence: string): string => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`);

/** What was refused and why, and what did not happen. What is wrong with a field stands beside the field. */
export function RefusedNote({ refused, notDone }: { refused: Refused | null; notDone: string }) {
  return (
    <div role="alert" className="empty:hidden">
      {refused && <p className="flex gap-1.5 text-failed"><Glyph name="warning" className="mt-0.5 size-4" />{full(refused.code === "unauthenticated" ? "You are not signed in any more" : refused.message)} {notDone}</p>}
    </div>
  );
}
