"use client";

import { useEffect, useId, useRef, useState } from "react";
import { priceOf } from "@/lib/changes/line-price";
import type { ChangeView, DiffLine } from "@/lib/changes/view";
import { amountIn, toDecimal } from "@/lib/kernel/money";
import { ShopText } from "@/components/text/shop-text";
import { Button } from "@/components/ui/button";
import { Glyph } from "@/components/ui/glyph";
import { moneyText } from "@/components/ui/money";
import type { Pending } from "./bar-state";

type Props = {
  change: ChangeView;
  pending: Pending | undefined;
  /** The figures moved: they are to be looked at again first. */
  moved: boolean;
  onTrim: (lowered: Record<string, string>) => void;
  /** Something was typed after a refusal. */
  onTyped: () => void;
  onCancel: () => void;
};

/** Lowers what was proposed, line by line, and signs what is left: only less, never more and never another line. */
export function TrimForm({ change, pending, moved, onTrim, onTyped, onCancel }: Props) {
  const [typed, setTyped] = useState<Record<string, string>>({});
  const form = useRef<HTMLFormElement>(null);
  const { currency } = change;
  useEffect(() => {
    form.current?.querySelector("input")?.focus({ preventScroll: true });
    form.current?.scrollIntoView({ block: "nearest" });
  }, []);

  const rows = change.lines.map((line) => ({ line, ...rowOf(line, typed[line.target], currency) }));
  const left = rows.reduce((sum, { line, amount }) => sum + (amount ?? BigInt(line.amountMinor)), 0n);
  const whole = BigInt(change.amountMinor);
  const wrong = rows.some(({ error }) => error !== undefined);
  const refused = pending?.phase === "answered" && pending.answer.status === "refused" ? pending.answer.fields : {};
  const busy = pending?.phase === "sent" || pending?.phase === "lost";
  const ready = !wrong && left < whole && left > 0n && !busy && !moved;

  const submit = () => ready && onTrim(Object.fromEntries(Object.entries(typed).filter(([target, text]) => text.trim() !== asProposed(change.lines.find((line) => line.target === target)!, currency))));
  const type = (target: string, text: string) => {
    setTyped((before) => ({ ...before, [target]: text }));
    onTyped();
  };
  const onEscape = () => !busy && onCancel();

  return (
    <form ref={form} noValidate aria-label="Lower and approve" onSubmit={(event) => { event.preventDefault(); submit(); }} className="max-h-[55dvh] overflow-auto border-t border-rule-strong bg-band px-6 pt-3 pb-3 one:max-h-none one:px-4">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="font-semibold">Lower and approve</h2>
        <p className="text-xs text-ink-2">{change.signatures.length > 0 ? "Signatures so far do not carry over: what is left is signed anew." : "What is left takes this change’s place, and you sign it."}</p>
      </header>
      <table className="mt-1 w-full border-collapse">
        <thead className="text-xs text-ink-2">
          <tr><th scope="col" className="py-1 pr-2">Proposed</th><th scope="col" className="py-1 pl-3">Lower to</th><th scope="col" className="num py-1 pl-3">Before → after</th></tr>
        </thead>
        <tbody>
          {rows.map(({ line, amount, error }) => (
            <TrimRow key={line.target} line={line} currency={currency} text={typed[line.target]} amount={amount} error={error ?? refused[line.target]?.[0]} onType={(text) => type(line.target, text)} onEscape={onEscape} />
          ))}
        </tbody>
      </table>
      <div className="mt-2 flex flex-wrap items-center justify-end gap-2 border-t border-ink pt-2">
        <p className="mr-auto" aria-live="polite">
          <span className="text-ink-2 line-through">{moneyText(change.amountMinor, currency, true)}</span> → <b className="text-md font-semibold text-money-out">{moneyText(String(left), currency, true)}</b>
          {!wrong && left === 0n && <span className="ml-2 text-failed">Something must be left: to refund nothing, reject it.</span>}
        </p>
        <Button onClick={onCancel} disabled={busy}>Go back</Button>
        <Button type="submit" look="primary" disabled={!ready} aria-busy={busy}>{busy ? "Signing…" : `Lower and approve${ready ? ` ${moneyText(String(left), currency)}` : ""}`}</Button>
      </div>
    </form>
  );
}

type RowProps = { line: DiffLine; currency: string; text: string | undefined; amount: bigint | null; error: string | undefined; onType: (text: string) => void; onEscape: () => void };

function TrimRow({ line, currency, text, amount, error, onType, onEscape }: RowProps) {
  const id = useId();
  const units = line.kind === "line";
  const lowered = amount !== null && amount < BigInt(line.amountMinor);
  return (
    <tr className="border-t border-rule align-top">
      <th scope="row" className="py-1 pr-2 font-normal [overflow-wrap:anywhere]"><label htmlFor={id}><ShopText text={line.title} /></label><span className="block text-xs text-ink-2">{units ? `${line.quantity} proposed` : `${moneyText(line.amountMinor, currency)} proposed`}</span></th>
      <td className="py-1 pl-3">
        <input id={id} inputMode={units ? "numeric" : "decimal"} autoComplete="off" value={text ?? asProposed(line, currency)} onChange={(event) => onType(event.target.value)} onKeyDown={(event) => event.key === "Escape" && onEscape()} aria-invalid={error ? true : undefined} aria-describedby={error ? `${id}-error` : undefined}
          className="h-8 w-24 rounded-t-1 border border-b-2 border-rule-strong border-b-ink bg-field px-2 text-lg tabular-nums aria-invalid:border-failed coarse:h-11" />
        {error && <p id={`${id}-error`} className="mt-1.5 flex gap-1 text-xs text-failed"><Glyph name="warning" />{error}</p>}
      </td>
      <td className="num py-1 pl-3">
        {lowered ? <><span className="text-ink-2 line-through">{moneyText(line.amountMinor, currency, true)}</span> → <b className="font-semibold text-money-out">{moneyText(String(amount), currency, true)}</b></> : <span className="text-money-out">{moneyText(line.amountMinor, currency, true)}</span>}
      </td>
    </tr>
  );
}

const asProposed = (line: DiffLine, currency: string): string =>
  line.quantity === null ? toDecimal({ amountMinor: BigInt(line.amountMinor), currency }) : String(line.quantity);

/** What a line comes to as it is typed, or what is wrong with it. */
function rowOf(line: DiffLine, text: string | undefined, currency: string): { amount: bigint | null; error?: string } {
  const proposed = BigInt(line.amountMinor);
  const typed = text?.trim();
  if (typed === undefined || typed === asProposed(line, currency)) return { amount: proposed };
  if (line.quantity === null) {
    const amount = amountIn(typed, currency);
    if (amount === null) return { amount: null, error: `Not an amount in ${currency}` };
    return amount > proposed ? { amount: null, error: "More than was proposed" } : { amount };
  }
  if (!/^\d{1,7}$/.test(typed)) return { amount: null, error: "Give a whole number" };
  const units = Number(typed);
  if (units > line.quantity) return { amount: null, error: "More than was proposed" };
  if (units === line.quantity) return { amount: proposed };
  if (units === 0) return { amount: 0n };
  const price = priceOf({ quantity: line.ofQuantity ?? units, paidMinor: BigInt(line.paidMinor), takenMinor: BigInt(line.beforeMinor), takenUnits: line.takenUnits ?? 0 }, units);
  return { amount: price < proposed ? price : proposed };
}
