"use client";

import { useRef, useState, type RefObject } from "react";
import type { ChangeView } from "@/lib/changes/view";
import { instantOf, LOCAL_TIME_FAULTS } from "@/lib/kernel/local-time";
import { formatSpan, formatTime, localOf, localWords } from "@/lib/browser/times";
import { Button } from "@/components/ui/button";
import { useNow, useSkew, useZone } from "@/components/ui/clock";
import { Dialog } from "@/components/ui/dialog";
import { SelectField, TextField } from "@/components/ui/field";
import { moneyText } from "@/components/ui/money";
import type { Timing } from "../words";

type Set = Extract<Timing, { when: "at" }>;
type Props = { change: ChangeView; open: boolean; onOpenChange: (open: boolean) => void; onSet: (time: Set) => void };

/** When an approved refund is applied: a time of a clock in a zone, told back as the moment it names. */
export function ScheduleDialog({ change, open, onOpenChange, onSet }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const amount = moneyText(change.amountMinor, change.currency);
  const isOpenYet = change.state === "staged";
  return (
    <Dialog open={open} onOpenChange={onOpenChange} initialFocus={field} title={isOpenYet ? `Approve ${amount} for later` : `When ${amount} is refunded`}>
      <TimeForm change={change} field={field} word={isOpenYet ? `Approve ${amount} for then` : "Set this time"} onCancel={() => onOpenChange(false)} onSet={onSet} />
    </Dialog>
  );
}

const HOUR = 3_600_000;

function TimeForm({ change, field, word, onCancel, onSet }: { change: ChangeView; field: RefObject<HTMLInputElement | null>; word: string; onCancel: () => void; onSet: (time: Set) => void }) {
  const viewers = useZone();
  const now = new Date(useNow(10_000).getTime() - useSkew());
  const [zone, setZone] = useState(change.schedule?.zone || viewers);
  const [local, setLocal] = useState(() => change.schedule?.local || nextMorning(now, viewers));
  const [asked, setAsked] = useState(false);
  const at = instantOf({ local, zone });
  const error = at instanceof Date ? outside(at, now, new Date(change.expiresAt), viewers) : LOCAL_TIME_FAULTS[at];

  const submit = () => {
    setAsked(true);
    if (error) field.current?.focus();
    else onSet({ when: "at", local, zone });
  };
  return (
    <form noValidate onSubmit={(event) => { event.preventDefault(); submit(); }}>
      <div className="grid grid-cols-2 gap-3 phone:grid-cols-1">
        <TextField ref={field} type="datetime-local" label="Date and time" required value={local} onChange={(event) => setLocal(event.target.value)} error={asked || local.length === 16 ? error : undefined} />
        <SelectField label="On a clock in" value={zone} onChange={(event) => setZone(event.target.value)} options={zonesWith(zone, viewers)} />
      </div>
      <p aria-live="polite" className="mt-3 text-ink-2">
        {!error && at instanceof Date && <>{localWords(local)}, {zone}: {formatTime(at, "UTC", "dateMinute")} UTC, in {formatSpan(at.getTime() - now.getTime())}. Until then it can be taken back; then it is judged on that day’s rules and figures.</>}
      </p>
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onCancel}>Go back</Button>
        <Button type="submit" look="primary">{word}</Button>
      </div>
    </form>
  );
}

function outside(at: Date, now: Date, expires: Date, zone: string): string | undefined {
  if (at <= now) return "This time has passed.";
  return at >= expires ? `It expires before that, on ${formatTime(expires, zone, "dateMinute")}.` : undefined;
}

const nextMorning = (now: Date, zone: string): string => `${localOf(new Date(now.getTime() + 24 * HOUR), zone).slice(0, 10)}T09:00`;

function zonesWith(...first: string[]): { value: string; word: string }[] {
  const all = [...first, "UTC", ...Intl.supportedValuesOf("timeZone")];
  return [...new Set(all)].map((value) => ({ value, word: value.replaceAll("_", " ") }));
}
