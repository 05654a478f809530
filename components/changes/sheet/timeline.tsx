"use client";

import { useState } from "react";
import type { EntryView } from "@/lib/changes/view";
import { EntryProof } from "@/components/entries/entry-proof";
import { entryWords, shownEntry } from "@/components/entries/entry-words";
import { ParaphStroke } from "@/components/marks/paraph-stroke";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ShortHash } from "@/components/ui/hash";
import { RecentTime } from "@/components/ui/time";

/** The entries themselves, newest first, hanging from the chain. */
export function Timeline({ entries }: { entries: readonly EntryView[] }) {
  const [opened, setOpened] = useState<EntryView | null>(null);
  return (
    <>
      <ol className="chain">
        {entries.toSorted((a, b) => b.seq - a.seq).map((entry) => <TimelineEntry key={entry.seq} entry={entry} onOpen={() => setOpened(entry)} />)}
      </ol>
      <Dialog open={opened !== null} onOpenChange={() => setOpened(null)} title={opened ? `Entry ${opened.seq.toLocaleString("en-GB")}, ${entryWords(opened).toLowerCase()}` : ""}>
        {opened && <EntryProof entry={opened} />}
        <div className="mt-4 flex justify-end"><Button onClick={() => setOpened(null)}>Go back</Button></div>
      </Dialog>
    </>
  );
}

function TimelineEntry({ entry, onOpen }: { entry: EntryView; onOpen: () => void }) {
  const { signed } = shownEntry(entry.type);
  const words = entryWords(entry);
  // How many signed is in the words, or on the lines of the foot.
  const detail = signed && entry.type !== "change.rejected" ? null : entry.detail;
  return (
    <li>
      <span className="text-right font-mono text-[0.6875rem]/5 text-ink-3">{entry.seq}</span>
      <span className="knot" aria-hidden="true" />
      <div className="min-w-0">
        <p className="font-semibold">{words}{detail && <span className="font-normal text-ink-2">, {detail}</span>}</p>
        <p>{entry.who}{entry.whoFor && `, for ${entry.whoFor}`}, <RecentTime at={entry.at} className="text-ink-3" /></p>
        {signed && <ParaphStroke leafHash={entry.leafHash} className="my-px h-[21px] w-[76px] stroke-[1.8]" />}
        <button type="button" onClick={onOpen} aria-label={`Hash and bytes of entry ${entry.seq}`} className="block min-h-6 text-left text-ink-3 hover:text-sign"><ShortHash hex={entry.leafHash} /></button>
      </div>
    </li>
  );
}
