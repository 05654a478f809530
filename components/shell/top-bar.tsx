import Link from "next/link";
import type { ReactNode } from "react";
import type { Role } from "@/lib/kernel/context";
import type { Place } from "@/lib/identity/places";
import { Wordmark } from "@/components/marks/mark";
import { ZoneNote } from "@/components/ui/time";
import { AccountMenu } from "./account-menu";
import { Tabs } from "./tabs";

type Props = { merchant: Place; places: readonly Place[]; person: string; role: Role; /** What can be done from every page. */ children: ReactNode };

/** The tabs of a book, not a side menu: the width belongs to the diff. */
export function TopBar({ merchant, places, person, role, children }: Props) {
  return (
    <header data-shell className="flex h-11 items-stretch gap-6 border-b border-rule-strong px-4 mid:gap-3 one:px-2">
      <a href="#content" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-sheet focus:px-3 focus:py-2 focus:text-sign">Skip to content</a>
      <Link href="/changes" aria-label="Undersigned, changes" className="flex items-center phone:hidden"><Wordmark /></Link>
      <span className="self-center border-l border-rule-strong pl-4 text-ink-2 mid:pl-3 one:hidden">{merchant.name}</span>
      <Tabs />
      <div data-always className="ml-auto flex flex-none items-center gap-3 text-ink-2">
        <ZoneNote className="text-ink-3 mid:hidden" />
        <span data-switch className="contents">{children}</span>
        <AccountMenu merchant={merchant} places={places} person={person} role={role} />
      </div>
    </header>
  );
}
