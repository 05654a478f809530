"use client";

import { useRef } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { usePreferences } from "@/components/ui/preferences";

const KEYS = [
  ["j", "Next change"],
  ["k", "Previous change"],
  ["a", "Approve the change on screen"],
  ["l", "Lower it and approve what is left"],
  ["r", "Reject it, with a reason"],
  ["z", "Take back your last approval"],
  ["n", "Show what arrived"],
  ["?", "This sheet"],
] as const;

export function HelpSheet({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { shortcuts, setShortcuts } = usePreferences();
  const back = useRef<HTMLButtonElement>(null);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keys" initialFocus={back}>
      <dl className={shortcuts ? undefined : "opacity-60"}>
        {KEYS.map(([key, deed]) => (
          <div key={key} className="flex items-baseline gap-3 border-b border-rule py-1">
            <dt className="w-8 text-center"><kbd className="inline-block min-w-[1.375rem] rounded-1 border border-current px-1 text-center font-mono text-xs font-medium">{key}</kbd></dt>
            <dd>{deed}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-ink-2">
        {shortcuts ? "They act only on the change that is on screen, never while you type." : "Single keys are switched off. Nothing happens when you press one."}
      </p>
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={() => setShortcuts(!shortcuts)}>{shortcuts ? "Switch off single keys" : "Switch on single keys"}</Button>
        <Button ref={back} look="primary" onClick={() => onOpenChange(false)}>Go back</Button>
      </div>
    </Dialog>
  );
}
