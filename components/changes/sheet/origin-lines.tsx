import Link from "next/link";
import type { ReactNode } from "react";
import type { ChangeView } from "@/lib/changes/view";
import { Glyph } from "@/components/ui/glyph";
import { Money } from "@/components/ui/money";
import { Time } from "@/components/ui/time";

/** Where a change comes from, where it went, and whether one like it was rejected. None of it moves once the change is on screen, but the last. */
export function OriginLines({ change: { origin, reproposed, currency } }: { change: ChangeView }) {
  const { trimmedBy, replaces, replacedBy } = origin;
  return (
    <>
      {reproposed && (
        <p className="mt-1 text-mark [overflow-wrap:anywhere]">
          <Glyph name="rejected" className="mr-1 size-3.5" />Rejected before: {reproposed.name} rejected <To id={reproposed.changeId}>one like it</To> of <Money minor={reproposed.amountMinor} currency={currency} />, <Time at={reproposed.at} as="dateMinute" />{reproposed.reason && <>, “<bdi>{reproposed.reason}</bdi>”</>}
        </p>
      )}
      {replaces && <p className="mt-1 text-ink-2">{trimmedBy ? <>Lowered by {trimmedBy}, </> : "It "}takes the place of <To id={replaces}>an earlier one</To>. Signatures on that one do not count here.</p>}
      {replacedBy && <p className="mt-1 text-ink-2">{replacedBy.trimmedBy && <>Lowered by {replacedBy.trimmedBy}. </>}<To id={replacedBy.id}>Another change</To> took its place.</p>}
    </>
  );
}

const To = ({ id, children }: { id: string; children: ReactNode }) => <Link href={`/changes/${id}`} className="link">{children}</Link>;
