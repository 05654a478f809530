import type { ReactNode } from "react";

type Props = { title: string; note?: ReactNode; aside?: ReactNode; id?: string; children: ReactNode };

/** A titled part of a sheet, under a rule. */
export function Block({ title, note, aside, id, children }: Props) {
  return (
    <section id={id} className="mt-[11px]">
      <header className="flex items-baseline gap-2 border-b border-rule-strong pb-1">
        <h2 className="font-semibold">{title}</h2>
        {note}
        {aside && <span className="ml-auto text-xs text-ink-2">{aside}</span>}
      </header>
      {children}
    </section>
  );
}
