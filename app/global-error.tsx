"use client";

import { Failure } from "@/components/ui/failure";
import "./globals.css";

export default function GlobalError({ error, retry }: { error: unknown; retry: () => void }) {
  const reference = error instanceof Error && "digest" in error ? String(error.digest) : undefined;
  return (
    <html lang="en-GB">
      <body>
        <title>Not shown, Undersigned</title>
        <main className="min-h-dvh bg-sheet">
          <Failure what="This page could not be shown." notDone="Nothing was signed and no money moved by opening it." retry={retry} reference={reference} />
        </main>
      </body>
    </html>
  );
}
