import type { EntryView } from "@/lib/changes/view";
import { FullHash } from "@/components/ui/hash";

/** An entry's whole hash and the bytes that it is the hash of. */
export function EntryProof({ entry }: { entry: EntryView }) {
  return (
    <div className="py-1">
      <p className="text-xs text-ink-2">Leaf hash of entry {entry.seq.toLocaleString("en-GB")}</p>
      <FullHash hex={entry.leafHash} className="block text-ink" />
      <p className="mt-2 text-xs text-ink-2">Its bytes, all of them</p>
      <pre className="mono mt-0.5 bg-band px-2 py-1.5 break-all whitespace-pre-wrap">{entry.bytes}</pre>
    </div>
  );
}
