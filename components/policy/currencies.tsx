"use client";

import { useState } from "react";
import { Block } from "@/components/ui/block";
import { Button } from "@/components/ui/button";
import { Glyph } from "@/components/ui/glyph";
import { InlineField } from "@/components/ui/inline-field";
import { allOf } from "@/lib/browser/lists";
import type { Draft } from "./draft";
import type { Editing } from "./sentence";
import { MONEY_RULES } from "./rules";

const KNOWN = new Set(Intl.supportedValuesOf("currency"));

/** The currencies that have a cap somewhere. Any other is refused, and so is one that is left without. */
export function Currencies({ draft, edit }: Pick<Editing, "draft" | "edit">) {
  const [typed, setTyped] = useState("");
  const code = typed.trim().toUpperCase();
  const error = code === "" ? undefined : draft.currencies.includes(code) ? "it is there already" : code.length < 3 ? undefined : KNOWN.has(code) ? undefined : "no currency";
  const bare = draft.currencies.filter((currency) => !isCapped(draft, currency));
  const add = () => {
    if (!edit || error || !KNOWN.has(code)) return;
    edit((was) => ({ ...was, currencies: [...was.currencies, code].toSorted() }));
    setTyped("");
  };
  return (
    <Block title="Currencies" aside="any other is refused">
      <div className="flex flex-wrap items-start gap-2 py-2 pl-4">
        {draft.currencies.length === 0 && <p className="pt-1.5">None: every refund is refused.</p>}
        {draft.currencies.map((currency) => (
          <span key={currency} className="inline-flex h-[var(--u-control)] items-center gap-1 border border-rule-strong px-2 font-medium">
            {currency}
            {edit && <button type="button" aria-label={`Remove ${currency}`} onClick={() => edit((was) => without(was, currency))} className="-mr-1 grid size-6 place-items-center text-ink-2 hover:text-ink coarse:size-9"><Glyph name="cross" className="size-3.5" /></button>}
          </span>
        ))}
        {edit && (
          <form className="flex items-start gap-2" onSubmit={(event) => { event.preventDefault(); add(); }}>
            <InlineField label="Another currency, three letters" placeholder="JPY" maxLength={3} className="w-20" value={typed} onChange={(event) => setTyped(event.target.value)} error={error} />
            <Button type="submit" disabled={code.length < 3 || error !== undefined}>Add</Button>
          </form>
        )}
      </div>
      {bare.length > 0 && <p role="status" className="flex gap-1.5 pb-2 pl-4 text-second"><Glyph name="info" className="mt-0.5 size-4" />{allOf(bare)} {bare.length === 1 ? "has no cap anywhere, so it is refused" : "have no cap anywhere, so they are refused"} until there is one.</p>}
    </Block>
  );
}

const mapsOf = ({ money, tiers }: Draft) => [...MONEY_RULES.map((rule) => money[rule]), ...tiers.map(({ upTo }) => upTo)];
const isCapped = (draft: Draft, currency: string): boolean => mapsOf(draft).some((texts) => (texts?.[currency] ?? "").trim() !== "");

function without(draft: Draft, currency: string): Draft {
  const drop = <T extends Record<string, string> | null>(texts: T): T => (texts && Object.fromEntries(Object.entries(texts).filter(([name]) => name !== currency))) as T;
  return {
    ...draft,
    currencies: draft.currencies.filter((each) => each !== currency),
    money: Object.fromEntries(MONEY_RULES.map((rule) => [rule, drop(draft.money[rule])])) as Draft["money"],
    tiers: draft.tiers.map(({ approvals, upTo }) => ({ approvals, upTo: drop(upTo) })),
  };
}
