"use client";

import Link from "next/link";
import { Fragment, useState } from "react";
import type { EntryView } from "@/lib/changes/view";
import { EntryProof } from "@/components/entries/entry-proof";
import { entryWords, shownEntry } from "@/components/entries/entry-words";
import { ParaphStroke } from "@/components/marks/paraph-stroke";
import { Glyph } from "@/components/ui/glyph";
import { Amount } from "@/components/ui/money";
import { Time } from "@/components/ui/time";
import { days } from "./days";

/** The log, banded, behind its red margin; an entry opens on its whole hash and its bytes. */
export function LogTable({ entries, zone }: { entries: readonly EntryView[]; zone: string }) {
  const [opened, setOpened] = useState<number | null>(null);
  return (
    <table className="log w-full border-collapse">
      <thead className="text-xs text-ink-2">
        <tr>
          <th scope="col" className="seq">No.</th>
          <th scope="col" className="in">At</th>
          <th scope="col">What</th>
          <th scope="col">Who</th>
          <th scope="col">About</th>
          <th scope="col">Detail</th>
          <th scope="col" className="num">Amount</th>
          <th scope="col" className="pl-6">Entry</th>
        </tr>
      </thead>
      <tbody>
        {days(entries, zone).map(({ day, entries: ofDay }) => (
          <Fragment key={`${day} ${ofDay[0]?.seq}`}>
            <tr className="day"><td className="seq" /><th scope="rowgroup" colSpan={7} className="in">{day}</th></tr>
            {ofDay.map((entry) => <EntryRow key={entry.seq} entry={entry} open={opened === entry.seq} onToggle={() => setOpened(opened === entry.seq ? null : entry.seq)} />)}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function EntryRow({ entry, open, onToggle }: { entry: EntryView; open: boolean; onToggle: () => void }) {
  const { glyph, colour, signed } = shownEntry(entry.type);
  return (
    <>
      <tr className={entry.seq % 2 === 0 ? "bg-band" : undefined}>
        <td className="seq mono">{entry.seq}</td>
        <td className="in mono text-ink-2"><Time at={entry.at} as="exact" /></td>
        <td className={`what ${colour}`}><Glyph name={glyph} className="mr-[7px] size-4" />{entryWords(entry)}</td>
        <td className="who" title={entry.whoFor ? `for ${entry.whoFor}` : undefined}>{entry.who}</td>
        <td className="about">{entry.changeId ? <Link href={`/changes/${entry.changeId}`} className="hover:text-sign hover:underline">{entry.about}</Link> : <span className={/^[a-z]{3}-/.test(entry.about) ? "mono" : undefined}>{entry.about}</span>}</td>
        <td className="detail text-xs text-ink-2">{entry.detail}</td>
        <td className="num"><EntryAmount entry={entry} /></td>
        <td className="hash">
          <button type="button" aria-expanded={open} onClick={onToggle} aria-label={`Hash and bytes of entry ${entry.seq}`} className="mono inline-flex min-h-6 items-center gap-1 text-ink-3 hover:text-sign">
            {entry.leafHash.slice(0, 8)}<Glyph name={open ? "up" : "down"} className="size-3" />
          </button>
          {signed && <ParaphStroke leafHash={entry.leafHash} className="ml-3 inline-block h-5 w-[76px] stroke-[1.8] align-middle" />}
        </td>
      </tr>
      {open && <tr className="opened"><td className="seq" /><td colSpan={7} className="in"><EntryProof entry={entry} /></td></tr>}
    </>
  );
}

/** Money that left has its sign and weight; money that was only spoken of has none. */
function EntryAmount({ entry }: { entry: EntryView }) {
  if (entry.amountMinor === null || entry.currency === null) return null;
  const out = entry.type === "change.applied";
  return <><Amount minor={entry.amountMinor} currency={entry.currency} out={out} className={out ? "font-semibold text-money-out" : undefined} /> <span className="text-xs text-ink-3">{entry.currency}</span></>;
}
