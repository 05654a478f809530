import Link from "next/link";
import type { Conflict } from "@/lib/changes/view";
import { StateBadge } from "@/components/marks/state";
import { Money } from "@/components/ui/money";
import { allOf } from "@/lib/browser/lists";

/** Each change that is staged or held against a payment: where it stands, how much, whose, and who signed it. */
export function Conflicts({ conflicts, currency }: { conflicts: readonly Conflict[]; currency: string }) {
  return (
    <ul>
      {conflicts.map((conflict) => (
        <li key={conflict.id} className="border-t border-rule py-1.5 first:border-0 first:pt-0">
          <p className="flex flex-wrap items-center justify-between gap-x-3">
            <StateBadge of={conflict} />
            <Link href={`/changes/${conflict.id}`} className="link num"><Money minor={conflict.amountMinor} currency={currency} /></Link>
          </p>
          <p className="text-xs text-ink-2">by {conflict.stager}{conflict.signers.length > 0 && `, signed by ${allOf(conflict.signers)}`}</p>
        </li>
      ))}
    </ul>
  );
}
