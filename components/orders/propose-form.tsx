"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import type { Proposed } from "@/lib/changes/propose";
import type { OrderView } from "@/lib/changes/view";
import { changePath } from "@/components/changes/paths";
import { brokenRule } from "@/components/changes/words";
import { RefusedNote } from "@/components/forms/refused";
import { useForm, type FormAction } from "@/components/forms/use-form";
import { Block } from "@/components/ui/block";
import { Button } from "@/components/ui/button";
import { SelectField, TextArea, TextField } from "@/components/ui/field";
import { moneyText } from "@/components/ui/money";
import { ProposeLines } from "./propose-lines";
import { sumOf, type By, type Typed } from "./propose-state";

export type Propose = FormAction<Proposed>;

const REASONS = ["damaged", "not_received", "not_as_described", "changed_mind", "duplicate", "fraud", "goodwill", "other"].map((value) => ({ value, word: value.replaceAll("_", " ") }));
const WAYS: readonly { value: By; word: string }[] = [{ value: "lines", word: "By lines" }, { value: "amount", word: "An amount" }];
const NOTHING: Typed = { by: "lines", pieces: {}, restock: {}, shipping: "", amount: "" };

/** A person proposes a refund of this order; someone else decides it. What was typed stays through every refusal. */
export function ProposeForm({ order, propose, onCancel }: { order: OrderView; propose: Propose; onCancel: () => void }) {
  const router = useRouter();
  const [typed, setTyped] = useState<Typed>(NOTHING);
  const [reason, setReason] = useState("");
  const [note, setNote] = useState("");
  const start = useRef<HTMLFormElement>(null);
  const { busy, refused, form } = useForm(propose, ({ changeId }) => router.push(changePath(changeId, "waiting")));
  useEffect(() => start.current?.querySelector("input")?.focus(), []);

  const { currency } = order;
  const sum = sumOf(order, typed);
  const errorOf = (field: string) => refused?.fields[field]?.map((text) => words(text, currency)).join(" ");
  const lineError = (lineId: string) => errorOf(`lines.${sum.lines.findIndex((line) => line.lineId === lineId)}`);
  const whole = typed.by === "amount" ? undefined : errorOf("lines");
  const ready = sum.totalMinor > 0n && Object.keys(sum.wrong).length === 0 && !busy;
  const shipping = BigInt(order.shippingMinor);

  return (
    <Block title="Propose a refund" aside="someone else must approve it">
      <form ref={start} {...form} className="mt-2 grid gap-3">
        <button type="submit" disabled hidden>Enter does nothing</button>
        <input type="hidden" name="orderId" value={order.id} />
        <input type="hidden" name="lines" value={JSON.stringify(typed.by === "lines" ? sum.lines : [])} />
        <fieldset className="flex flex-wrap gap-x-4">
          <legend className="sr-only">How it is counted</legend>
          {WAYS.map(({ value, word }) => (
            <label key={value} className="flex min-h-6 items-center gap-1.5 coarse:min-h-11"><input type="radio" name="by" value={value} checked={typed.by === value} onChange={() => setTyped({ ...typed, by: value })} className="size-4 accent-sign" />{word}</label>
          ))}
        </fieldset>
        {typed.by === "lines" && <ProposeLines {...{ order, typed, sum }} errorOf={lineError} onChange={setTyped} />}
        {typed.by === "lines" && shipping > 0n && (
          <div className="max-w-60"><TextField label="Shipping" name="shipping" inputMode="decimal" autoComplete="off" value={typed.shipping} onChange={(event) => setTyped({ ...typed, shipping: event.target.value })} error={sum.wrong.shipping ?? errorOf("shipping")} hint={`${moneyText(String(shipping - BigInt(order.shippingRefundedMinor) - BigInt(order.shippingHeldMinor)), currency)} left`} /></div>
        )}
        {typed.by === "amount" && (
          <div className="max-w-60"><TextField label={`Amount in ${currency}`} name="amount" inputMode="decimal" autoComplete="off" value={typed.amount} onChange={(event) => setTyped({ ...typed, amount: event.target.value })} error={sum.wrong.amount ?? errorOf("amount")} hint={`${moneyText(order.payment.refundableMinor, currency)} left`} /></div>
        )}
        <div className="grid grid-cols-[15rem_minmax(0,1fr)] gap-4 phone:grid-cols-1">
          <SelectField label="Reason" name="reason" value={reason} onChange={(event) => setReason(event.target.value)} options={[{ value: "", word: "Choose a reason" }, ...REASONS]} error={errorOf("reason")} />
          <TextArea label="Note" name="note" rows={2} value={note} onChange={(event) => setNote(event.target.value)} error={errorOf("note")} hint="Read by whoever approves it." />
        </div>
        <RefusedNote refused={refused} notDone={`${whole ? `${whole}. ` : ""}Nothing was proposed.`} />
        <div className="flex flex-wrap items-center justify-end gap-2 border-t border-ink pt-2">
          <p className="mr-auto" aria-live="polite">Refund <b className="text-md font-semibold text-money-out">{moneyText(String(sum.totalMinor), currency, true)}</b> <span className="text-xs text-ink-2">of {moneyText(order.payment.refundableMinor, currency)} left{order.proposal?.capMinor && `, at most ${moneyText(order.proposal.capMinor, currency)} at once`}</span></p>
          <Button onClick={onCancel} disabled={busy}>Go back</Button>
          <Button type="submit" look="primary" disabled={!ready} aria-busy={busy}>{busy ? "Proposing…" : `Propose${ready ? ` ${moneyText(String(sum.totalMinor), currency)}` : ""}`}</Button>
        </div>
      </form>
    </Block>
  );
}

/** A refusal under its field: a sentence, or a guardrail with its cap and actual. */
function words(text: string, currency: string): string {
  const [, rule, cap, actual] = /^([a-z]+(?:_[a-z]+)*) (\S+) (\S+)$/.exec(text) ?? [];
  if (!rule || !cap || !actual) return text;
  if (rule === "units_left") return cap === "0" ? "None is left" : `Only ${cap} ${cap === "1" ? "is" : "are"} left`;
  return brokenRule(currency, rule, cap, actual);
}
