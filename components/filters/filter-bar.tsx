"use client";

import { useId, useState, type ReactNode } from "react";
import type { FilterChoices } from "@/lib/changes/view";
import { Button } from "@/components/ui/button";
import { useNow, useZone } from "@/components/ui/clock";
import { Glyph } from "@/components/ui/glyph";
import { localOf } from "@/lib/browser/times";
import { minorDigits, parseMoney, toDecimal } from "@/lib/kernel/money";
import { plainCode } from "../changes/words";
import { useFilters } from "./use-filters";

const STATES = ["approved", "applying", "applied", "failed", "rejected", "withdrawn", "expired"] as const;
const REASONS = ["damaged", "not_received", "not_as_described", "changed_mind", "duplicate", "fraud", "goodwill", "other"] as const;
const FIELD = "h-[var(--u-control)] rounded-t-1 border border-b-2 border-rule-strong border-b-ink bg-field px-2 text-sm coarse:h-11 phone:w-full phone:text-lg";

type Props = { choices: FilterChoices; /** Whether states are asked for: a queue has but one. */ ended: boolean };

/** What narrows a list, kept in its address. */
export function FilterBar({ choices, ended }: Props) {
  const { filters, set, clear, count } = useFilters();
  const zone = useZone();
  const today = localOf(useNow(60_000), zone).slice(0, 10);
  const currency = filters.currency ?? choices.currencies[0] ?? "GBP";
  return (
    <search aria-label="Narrow the list">
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
        <SearchField value={filters.q ?? ""} onChange={(q) => set({ q })} />
        {ended && <Choice label="State" value={filters.state} options={STATES.map((state) => [state, plainCode(state)])} onChange={(state) => set({ state })} />}
        <Choice label="Reason" value={filters.reason} options={REASONS.map((reason) => [reason, plainCode(reason)])} onChange={(reason) => set({ reason })} />
        <Choice label="Agent" value={filters.agent} options={choices.agents.map(({ id, name }) => [id, name])} onChange={(agent) => set({ agent })} />
        {ended && <Choice label="Decided by" value={filters.by} options={choices.people.map(({ id, name }) => [id, name])} onChange={(by) => set({ by })} />}
        <Day label="Proposed from" value={filters.from} onChange={(from) => set({ from, zone })} />
        <Day label="to" value={filters.to} onChange={(to) => set({ to, zone })} />
        <Button size="small" className="mb-1" onClick={() => set({ from: today, to: today, zone })}>Today</Button>
        {choices.currencies.length > 1 && <Choice label="Currency" value={filters.currency} options={choices.currencies.map((each) => [each, each])} onChange={(value) => set({ currency: value, min: "", max: "" })} />}
        <AmountField key={`min ${currency}`} label={`From ${currency}`} minor={filters.min} currency={currency} onChange={(min) => set({ min, currency })} />
        <AmountField key={`max ${currency}`} label={`to ${currency}`} minor={filters.max} currency={currency} onChange={(max) => set({ max, currency })} />
        {!ended && <Tick label="Shares its payment" on={filters.conflict === "1"} onChange={(on) => set({ conflict: on ? "1" : "" })} />}
        {!ended && <Tick label="Expires within a day" on={filters.soon === "1"} onChange={(on) => set({ soon: on ? "1" : "" })} />}
        {count > 0 && <Button size="small" className="mb-1" onClick={clear}>Clear {count === 1 ? "the filter" : `${count} filters`}</Button>}
      </div>
    </search>
  );
}

function Labelled({ label, id, children }: { label: string; id: string; children: ReactNode }) {
  return <div className="phone:w-[calc(50%-6px)]"><label htmlFor={id} className="block text-xs text-ink-2">{label}</label>{children}</div>;
}

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <div className="relative w-64 phone:w-full">
      <label htmlFor={id} className="block text-xs text-ink-2">Order, customer or product</label>
      <span className="pointer-events-none absolute bottom-2 left-2 text-ink-2 coarse:bottom-3.5"><Glyph name="search" /></span>
      <input id={id} data-search type="search" value={value} maxLength={100} onChange={(event) => onChange(event.target.value)} className={`w-full pl-8 ${FIELD}`} />
    </div>
  );
}

function Choice({ label, value, options, onChange }: { label: string; value: string | undefined; options: readonly (readonly [string, string])[]; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <Labelled label={label} id={id}>
      <select id={id} value={value ?? ""} onChange={(event) => onChange(event.target.value)} className={FIELD}>
        <option value="">any</option>
        {options.map(([key, word]) => <option key={key} value={key}>{word}</option>)}
      </select>
    </Labelled>
  );
}

function Day({ label, value, onChange }: { label: string; value: string | undefined; onChange: (value: string) => void }) {
  const id = useId();
  return <Labelled label={label} id={id}><input id={id} type="date" value={value ?? ""} onChange={(event) => onChange(event.target.value)} className={FIELD} /></Labelled>;
}

/** A plain decimal, taken when it is one: nothing is rounded. */
function AmountField({ label, minor, currency, onChange }: { label: string; minor: string | undefined; currency: string; onChange: (minor: string) => void }) {
  const id = useId();
  const [text, setText] = useState(minor === undefined ? "" : toDecimal({ amountMinor: BigInt(minor), currency }));
  const parsed = text === "" ? "" : minorOf(text, currency);
  return (
    <Labelled label={label} id={id}>
      <input
        id={id} inputMode="decimal" size={8} value={text} aria-invalid={parsed === null ? true : undefined} title={parsed === null ? `An amount with at most ${minorDigits(currency)} digits after the point` : undefined}
        onChange={(event) => {
          setText(event.target.value);
          const next = event.target.value === "" ? "" : minorOf(event.target.value, currency);
          if (next !== null) onChange(next);
        }}
        className={`num w-24 aria-invalid:border-failed ${FIELD}`}
      />
    </Labelled>
  );
}

function minorOf(text: string, currency: string): string | null {
  try {
    const { amountMinor } = parseMoney(text.trim(), currency);
    return amountMinor >= 0n && amountMinor < 10n ** 16n ? String(amountMinor) : null;
  } catch {
    return null;
  }
}

function Tick({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return <label className="mb-1.5 flex items-center gap-1.5 text-sm coarse:min-h-11"><input type="checkbox" checked={on} onChange={(event) => onChange(event.target.checked)} className="size-4 accent-sign" />{label}</label>;
}

