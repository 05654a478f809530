"use client";

import Link from "next/link";
import { Fragment, useState } from "react";
import type { TriedRow } from "@/lib/changes/try-policy";
import { OUTCOMES, type Outcome } from "@/lib/guardrails/replay";
import { Button } from "@/components/ui/button";
import { Glyph, type GlyphName } from "@/components/ui/glyph";
import { Amount, moneyText } from "@/components/ui/money";
import { Time } from "@/components/ui/time";
import { people } from "./diff";
import { sentenceOf, MONEY_RULES } from "./rules";
import { currenciesOf, type Trial } from "./trial";

const SHOWN: Record<Outcome, { words: string; glyph: GlyphName; colour: string }> = {
  refused: { words: "Were staged, would be refused", glyph: "rejected", colour: "text-rejected" },
  let_through: { words: "Were refused, would be let through", glyph: "forward", colour: "text-second" },
  more: { words: "Would need more approvals", glyph: "second", colour: "text-second" },
  fewer: { words: "Would need fewer approvals", glyph: "approved", colour: "text-approved" },
  same: { words: "The same", glyph: "tick", colour: "text-applied" },
};
const FIRST = 50;

/** What would have come of it: by count and money, each kind with what it is made of. */
export function TrialTable({ trial }: { trial: Trial }) {
  const currencies = currenciesOf(trial);
  const [open, setOpen] = useState<Outcome | null>(null);
  return (
    <div className="quiet-scroll overflow-x-auto">
      <table className="w-full border-collapse">
        <thead className="text-xs text-ink-2">
          <tr><th scope="col" className="py-1.5 pr-3">What would have come of it</th><th scope="col" className="num w-28 pl-3 phone:w-auto">Proposals</th>{currencies.map((currency) => <th key={currency} scope="col" className="num w-36 pl-3 phone:w-auto">{currency}</th>)}</tr>
        </thead>
        <tbody>
          {OUTCOMES.map((outcome) => {
            const { words, glyph, colour } = SHOWN[outcome];
            const rows = trial.rows[outcome];
            return (
              <Fragment key={outcome}>
                <tr className="h-[var(--u-row)] border-t border-rule">
                  <th scope="row" className="pr-3">
                    <button type="button" disabled={rows.length === 0} aria-expanded={open === outcome} onClick={() => setOpen(open === outcome ? null : outcome)} className="inline-flex min-h-6 items-center gap-2 text-left enabled:hover:underline coarse:min-h-11">
                      <Glyph name={glyph} className={`size-4 ${colour}`} />{words}{rows.length > 0 && <Glyph name={open === outcome ? "up" : "down"} className="size-3 text-ink-3" />}
                    </button>
                  </th>
                  <td className="num pl-3 font-medium">{rows.length.toLocaleString("en-GB")}</td>
                  {currencies.map((currency) => <td key={currency} className="num pl-3"><Amount minor={String(trial.money[outcome][currency] ?? 0n)} currency={currency} /></td>)}
                </tr>
                {open === outcome && rows.length > 0 && <tr><td colSpan={2 + currencies.length} className="bg-band px-3 pt-1 pb-3"><Tried rows={rows} words={words} /></td></tr>}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Tried({ rows, words }: { rows: readonly TriedRow[]; words: string }) {
  const [most, setMost] = useState(FIRST);
  return (
    <>
      <ul aria-label={words}>
        {rows.slice(0, most).map((row) => (
          <li key={`${row.changeId} ${row.at} ${row.orderId}`} className="grid min-h-[var(--u-row)] grid-cols-[7rem_9rem_minmax(0,1fr)_auto] items-center gap-x-3 border-b border-rule phone:grid-cols-[minmax(0,1fr)_auto] phone:py-1">
            <Link href={row.changeId ? `/changes/${row.changeId}` : `/orders/${row.orderId}`} className="link">{row.orderNumber}</Link>
            <span className="text-ink-2 phone:order-3"><Time at={row.at} as="dateMinute" /></span>
            <span className="phone:order-4 phone:col-span-2">{whyOf(row)}</span>
            <span className="num">{moneyText(row.amountMinor, row.currency)}</span>
          </li>
        ))}
      </ul>
      {rows.length > most && <p className="pt-2"><Button size="small" onClick={() => setMost(most + FIRST)}>Show {Math.min(FIRST, rows.length - most)} more</Button> <span className="text-ink-2">of {(rows.length - most).toLocaleString("en-GB")}</span></p>}
    </>
  );
}

const IN_MONEY = new Set<string>([...MONEY_RULES, "max_refund_pct", "refundable_remainder"]);

/** "An agent may ask for at most … per refund: £600.00, cap £500.00" */
function whyOf({ was, now, broken, currency }: TriedRow): string {
  if (!broken) return was === now || now === null ? "" : was === null ? `would wait for ${people(now)}` : `${people(was)} → ${people(now)}`;
  if (broken.rule === "no_cap_for_currency") return `no cap for ${currency}`;
  const figure = (value: string) => (IN_MONEY.has(broken.rule) ? moneyText(value, currency) : Number(value).toLocaleString("en-GB"));
  const said = broken.rule === "refundable_remainder" ? "More than was left of the payment" : broken.rule === "eligible_approvers" ? "More approvals than there were people to give them" : broken.rule === "paused" ? "Paused" : sentenceOf(broken.rule);
  return broken.rule === "paused" ? said : `${said}: ${figure(broken.actual)}, cap ${figure(broken.cap)}`;
}
