"use client";

import { useEffect, useRef, useState, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Glyph } from "@/components/ui/glyph";

type Copied = "no" | "yes" | "selected";
const SAID: Record<Copied, string> = { no: "", yes: "Copied.", selected: "Selected: copy it with your keyboard." };

/** A secret that is in this answer and nowhere else. */
export function ShownOnce({ label, text, children }: { label: string; text: string; children: ReactNode }) {
  const shown = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [copied, setCopied] = useState<Copied>("no");
  useEffect(() => button.current?.focus(), []); // the form that had the focus is gone
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied("yes");
    } catch {
      if (shown.current) getSelection()?.selectAllChildren(shown.current); // a browser that keeps the clipboard to itself
      setCopied("selected");
    }
  };
  return (
    <div className="grid gap-2">
      <p className="font-medium">{label}</p>
      <code ref={shown} className="mono block border border-b-2 border-rule-strong border-b-ink bg-field px-3 py-2 break-all select-all">{text}</code>
      <div className="flex items-center gap-3">
        <Button ref={button} onClick={() => void copy()}><Glyph name="paper" />Copy</Button>
        <span role="status" className="text-ink-2">{SAID[copied]}</span>
      </div>
      <p className="flex gap-1.5 text-second"><Glyph name="warning" className="mt-0.5 size-4" />It is shown this once. Who has it has what it opens.</p>
      <div className="text-ink-2">{children}</div>
    </div>
  );
}
