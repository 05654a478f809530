"use client";

import { Button } from "@/components/ui/button";
import { Glyph } from "@/components/ui/glyph";
import { people } from "./diff";
import { emptyTier, type Draft } from "./draft";
import { MoneyField, NumberField } from "./figures";
import { amounts, Line, Words, type Editing } from "./sentence";

type Tier = Draft["tiers"][number];

/** So many people up to an amount; only the last may have no end. */
export function TierRows({ lead, draft, errors, edit }: Editing & { lead: string }) {
  const { tiers, currencies } = draft;
  const missing = errors.refund_approvals;
  if (!edit) return <><p>{lead}:</p><ol>{tiers.map((tier, index) => <li key={index}>{people(Number(tier.approvals))} {Number(tier.approvals) === 1 ? "signs" : "sign"} {tier.upTo ? `up to ${amounts(tier.upTo)}` : index > 0 ? "above that, whatever the amount" : "whatever the amount"}.</li>)}</ol></>;
  const change = (index: number, next: (tier: Tier) => Tier) => edit((was) => ({ ...was, tiers: was.tiers.map((tier, at) => (at === index ? next(tier) : tier)) }));
  return (
    <>
      <p>{lead}:</p>
      <ol className="mt-1 grid gap-1.5">
        {tiers.map((tier, index) => {
          const name = `tier ${index + 1}`;
          return (
            <li key={index}>
              <Line>
                <NumberField label={`People who sign, ${name}`} text={tier.approvals} onText={(approvals) => change(index, (was) => ({ ...was, approvals }))} error={errors[`refund_approvals.${index}.approvals`]} />
                <Words>{tier.approvals.trim() === "1" ? "person signs" : "people sign"} {tier.upTo ? "up to" : index > 0 ? "above that, whatever the amount." : "whatever the amount."}</Words>
                {tier.upTo && currencies.map((currency) => (
                  <MoneyField
                    key={currency} label={`people sign up to, ${name}`} currency={currency} text={tier.upTo?.[currency] ?? ""} error={errors[`refund_approvals.${index}.up_to.${currency}`]} empty="nothing"
                    onText={(text) => change(index, (was) => ({ ...was, upTo: { ...was.upTo, [currency]: text } }))}
                  />
                ))}
                <Button size="small" look="bare" className="mt-0.5 coarse:mt-1" aria-label={`${tier.upTo ? "No end" : "Up to an amount"}, ${name}`} onClick={() => change(index, (was) => ({ ...was, upTo: was.upTo ? null : {} }))}>{tier.upTo ? "No end" : "Up to an amount"}</Button>
                {tiers.length > 1 && <Button size="small" look="bare" className="mt-0.5 coarse:mt-1" aria-label={`Remove ${name}`} onClick={() => edit((was) => ({ ...was, tiers: was.tiers.filter((_, at) => at !== index) }))}><Glyph name="cross" className="size-3.5" />Remove</Button>}
              </Line>
              {errors[`refund_approvals.${index}.up_to`] && <p className="text-xs text-failed">{errors[`refund_approvals.${index}.up_to`]}</p>}
            </li>
          );
        })}
      </ol>
      <Beyond tiers={tiers} />
      {missing && <p className="text-xs text-failed">{missing}</p>}
      {tiers.length < 9 && <Button size="small" className="mt-1.5" onClick={() => edit((was) => ({ ...was, tiers: [...was.tiers, emptyTier()] }))}>Add a tier</Button>}
    </>
  );
}

/** What the last tier leaves open is not refused: it takes one more. */
function Beyond({ tiers }: { tiers: readonly Tier[] }) {
  const last = tiers.at(-1);
  const most = Math.max(...tiers.map(({ approvals }) => Number(approvals)));
  if (!last?.upTo || !Number.isInteger(most)) return null;
  return <p className="pt-1 text-ink-2">Above that {people(most + 1)} sign: one more than any tier names.</p>;
}
