import type { ReactNode } from "react";
import { Wordmark } from "@/components/marks/mark";

/** A page that is one sheet on the desk, before anyone is signed in. */
export function SingleSheet({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center p-6 phone:p-4">
      <div className="margin-rule margin-rule-wide relative w-full max-w-[27rem] border border-rule-strong bg-sheet pt-6 pr-8 pb-6 pl-17 phone:py-5 phone:pr-4 phone:pl-9">
        <Wordmark />
        <h1 className="mt-7 font-serif text-2xl">{title}</h1>
        <p className="mt-0.5 text-ink-2">{lead}</p>
        {children}
      </div>
    </main>
  );
}
