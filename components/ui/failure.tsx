import type { ReactNode } from "react";
import { Button } from "./button";
import { Glyph } from "./glyph";

type Props = { what: string; notDone: string; retry?: () => void; reference?: string | undefined; children?: ReactNode };

/** What failed, what did not happen, what to press; the request's id where there is one. */
export function Failure({ what, notDone, retry, reference, children }: Props) {
  return (
    <div role="alert" className="mx-auto max-w-prose px-5 py-10">
      <p className="flex items-center gap-2 text-lg font-semibold text-failed"><Glyph name="warning" className="size-5" />{what}</p>
      <p className="mt-1 text-ink-2">{notDone}</p>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        {retry && <Button onClick={retry}>Try again</Button>}
        {children}
        {reference && <span className="mono text-ink-3">{reference}</span>}
      </div>
    </div>
  );
}
