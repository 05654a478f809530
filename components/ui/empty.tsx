import type { ReactNode } from "react";
import { SignatureLine } from "@/components/marks/mark";

/** The signature line, one fact, one next step. */
export function Empty({ fact, children }: { fact: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center px-5 py-10 text-center">
      <SignatureLine className="mb-3" />
      <p className="font-semibold">{fact}</p>
      {children && <div className="mt-0.5 max-w-prose text-ink-2">{children}</div>}
    </div>
  );
}
