"use client";

import { useRef, useState, type KeyboardEvent } from "react";
import type { ChangeView } from "@/lib/changes/view";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { TextArea } from "@/components/ui/field";
import { moneyText } from "@/components/ui/money";
import type { Rejection } from "../words";

const TEMPLATES = [
  { code: "already_refunded", text: "Already refunded" },
  { code: "no_proof", text: "No proof of damage" },
  { code: "amount_too_high", text: "Amount too high" },
  { code: "not_covered", text: "Not covered" },
] as const;
const LONGEST = 2000;

type Props = { change: ChangeView; open: boolean; onOpenChange: (open: boolean) => void; onReject: (rejection: Rejection) => void };

export function RejectDialog({ change, open, onOpenChange, onReject }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} initialFocus={field} title={`Reject the refund of ${moneyText(change.amountMinor, change.currency)}`}>
      <RejectForm field={field} onCancel={() => onOpenChange(false)} onReject={onReject} />
    </Dialog>
  );
}

function RejectForm({ field, onCancel, onReject }: { field: React.RefObject<HTMLTextAreaElement | null>; onCancel: () => void; onReject: (rejection: Rejection) => void }) {
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState(false);
  const { length } = reason.trim();
  const error = length === 0 ? "Say why: the reason is kept with the entry." : length > LONGEST ? `${length - LONGEST} characters too many. The longest reason is ${LONGEST}.` : undefined;

  const submit = () => {
    setAsked(true);
    if (error) field.current?.focus();
    else onReject({ code: TEMPLATES.find(({ text }) => reason.includes(text))?.code ?? "other", reason: reason.trim() });
  };
  const addTemplate = (template: string) => {
    setReason((before) => (before.trim() ? `${before.trimEnd()} ${template}.` : `${template}.`));
    field.current?.focus();
  };
  const submitByModifier = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
  };

  return (
    <form noValidate onSubmit={(event) => { event.preventDefault(); submit(); }}>
      <div className="mb-3 flex flex-wrap gap-2">
        {TEMPLATES.map(({ code, text }) => <Button key={code} size="small" onClick={() => addTemplate(text)}>{text}</Button>)}
      </div>
      <TextArea ref={field} label="Reason, kept with the entry" rows={3} required value={reason} onChange={(event) => setReason(event.target.value)} onKeyDown={submitByModifier} error={asked || length > LONGEST ? error : undefined} />
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onCancel}>Go back</Button>
        <Button type="submit" look="noSolid">Reject</Button>
      </div>
    </form>
  );
}
