import Link from "next/link";
import { VIEWS, type QueuePage, type ViewName } from "@/lib/changes/view";
import { viewPath } from "./paths";

const WORDS: Record<ViewName, string> = { waiting: "Waiting for me", second: "Second approval", attention: "Needs attention", scheduled: "Scheduled", expired: "Expired" };

export function ViewsStrip({ view, counts }: { view: ViewName; counts: QueuePage["counts"] }) {
  return (
    <nav aria-label="Views" className="flex h-9 items-center gap-1 overflow-x-auto border-b border-rule bg-sheet px-4 whitespace-nowrap [scrollbar-width:none] one:px-2 one:group-data-[desk=change]/desk:hidden coarse:h-12">
      {VIEWS.map((each) => (
        <Link
          key={each}
          href={viewPath(each)}
          aria-current={each === view ? "page" : undefined}
          className="border-b-2 border-transparent px-2 py-1 text-ink-2 hover:text-ink focus-visible:-outline-offset-2 aria-[current]:border-sign aria-[current]:font-semibold aria-[current]:text-ink coarse:py-2.5"
        >
          {WORDS[each]} <span className="ml-0.5 font-normal text-ink-3 tabular-nums">{counts[each].toLocaleString("en-GB")}</span>
        </Link>
      ))}
    </nav>
  );
}
