import type { ReactNode } from "react";
import { allOf } from "@/lib/browser/lists";
import type { Draft, Errors } from "./draft";
import { echoOf } from "./figures";

export type Editing = { draft: Draft; errors: Errors; /** Rules that differ from what is in force. */ changed: ReadonlySet<string>; /** Null where this viewer reads only. */ edit: ((change: (draft: Draft) => Draft) => void) | null };

/** Words and fields of one line; where it is too long for the page, the next begins under the first word. */
export const Line = ({ children }: { children: ReactNode }) => <div className="flex flex-wrap items-start gap-x-2.5 gap-y-1.5">{children}</div>;
export const Words = ({ children }: { children: ReactNode }) => <span className="pt-1.5 coarse:pt-3">{children}</span>;
export const Said = ({ children }: { children: ReactNode }) => <b className="font-semibold tabular-nums">{children}</b>;

/** "£500.00, €500.00 and US$500.00" */
export function amounts(texts: Record<string, string>): string {
  const all = Object.entries(texts).toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([currency, text]) => echoOf(text, currency) ?? text);
  return all.length === 0 ? "nothing in any currency" : allOf(all);
}
