"use client";

import { Failure } from "@/components/ui/failure";

export default function ConsoleError({ error, retry }: { error: unknown; retry: () => void }) {
  const reference = error instanceof Error && "digest" in error ? String(error.digest) : undefined;
  return (
    <main id="content" className="min-h-[calc(100dvh-var(--u-bar))] bg-sheet">
      <Failure what="This page could not be shown." notDone="Nothing was signed and no money moved by opening it." retry={retry} reference={reference} />
    </main>
  );
}
