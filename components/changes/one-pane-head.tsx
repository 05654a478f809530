import Link from "next/link";
import { Glyph } from "@/components/ui/glyph";

/** Takes the top bar's place while a change is open on one pane. */
export function OnePaneHead({ queueHref, place, onNext }: { queueHref: string; place: string | null; onNext: (() => void) | null }) {
  return (
    <nav aria-label="Queue" className="sticky top-0 z-10 hidden h-12 grid-cols-3 items-center border-b border-rule-strong bg-desk px-2 one:grid">
      <Link href={queueHref} className="flex h-11 items-center gap-2 justify-self-start px-2 font-medium text-sign"><Glyph name="back" />Queue</Link>
      <span className="justify-self-center text-ink-2 tabular-nums">{place}</span>
      {onNext && <button type="button" onClick={onNext} className="h-11 justify-self-end px-2 font-medium text-sign">Next</button>}
    </nav>
  );
}
