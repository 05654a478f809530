"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { queueQuery, standingQuery } from "@/lib/browser/queries";

const TABS = [
  { href: "/changes", word: "Changes" },
  { href: "/orders", word: "Orders" },
  { href: "/history", word: "History" },
  { href: "/audit", word: "Audit" },
  { href: "/policy", word: "Policy" },
  { href: "/agents", word: "Agents" },
  { href: "/settings", word: "Settings" },
] as const;

export function Tabs() {
  const path = usePathname();
  const waiting = useQuery(queueQuery("waiting")).data?.counts.waiting;
  const policyWaits = useQuery(standingQuery()).data?.policyWaits;
  return (
    <nav aria-label="Sections" className="-mb-px flex flex-none items-end gap-1 one:min-w-0 one:flex-initial one:overflow-x-auto one:overflow-y-hidden one:[scrollbar-width:none] one:[&>a]:flex-none">
      {TABS.map(({ href, word }) => {
        const current = path === href || path.startsWith(`${href}/`);
        return (
          <Link
            key={href}
            href={href}
            aria-current={current ? "page" : undefined}
            className="border border-b-0 border-transparent px-3 pt-[7px] pb-2 text-ink-2 hover:text-ink aria-[current]:border-rule-strong aria-[current]:bg-sheet aria-[current]:font-semibold aria-[current]:text-ink mid:px-2 coarse:pt-3 coarse:pb-2.5"
          >
            {word}
            {href === "/changes" && waiting !== undefined && waiting > 0 && (
              <span className="ml-1 font-medium text-ink-2 tabular-nums">{waiting.toLocaleString("en-GB")}<span className="sr-only"> waiting</span></span>
            )}
            {href === "/policy" && policyWaits && <span className="font-medium text-second"> 1<span className="sr-only"> proposal waits for you</span></span>}
          </Link>
        );
      })}
    </nav>
  );
}
