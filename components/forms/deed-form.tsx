"use client";

import type { ReactNode } from "react";
import { Button, type Look } from "@/components/ui/button";
import { RefusedNote } from "./refused";
import { useForm, type FormAction } from "./use-form";

type Props<R> = {
  action: FormAction<R>;
  onDone: (result: R) => void;
  onCancel: () => void;
  /** What the button says, and what it says while it is being done. */
  deed: string;
  doing: string;
  /** Said after a refusal. */
  notDone: string;
  look?: Look;
  hidden?: Record<string, string>;
  children?: ReactNode | ((errorOf: (name: string) => string | undefined) => ReactNode);
};

/** The form of a dialog: fields, why it was refused, Go back and the deed. */
export function DeedForm<R>({ action, onDone, onCancel, deed, doing, notDone, look = "primary", hidden = {}, children }: Props<R>) {
  const { busy, refused, errorOf, form } = useForm(action, onDone);
  return (
    <form {...form} className="grid gap-4">
      <button type="submit" disabled hidden>Enter does nothing</button>
      {Object.entries(hidden).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)}
      {typeof children === "function" ? children(errorOf) : children}
      <RefusedNote refused={refused} notDone={notDone} />
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Go back</Button>
        <Button type="submit" look={look} aria-busy={busy} disabled={busy}>{busy ? doing : deed}</Button>
      </div>
    </form>
  );
}
