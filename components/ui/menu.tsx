"use client";

import { Menu as Base } from "@base-ui/react/menu";
import type { ReactNode } from "react";
import { Glyph } from "./glyph";

const ITEM = "flex min-h-8 items-center gap-2 px-3 outline-none select-none data-highlighted:bg-band coarse:min-h-11";

export function Menu({ trigger, label, children }: { trigger: ReactNode; label: string; children: ReactNode }) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger aria-label={label} className="flex h-8 items-center gap-1.5 rounded-2 px-2 text-ink-2 hover:text-ink coarse:h-11">{trigger}</Base.Trigger>
      <Base.Portal>
        <Base.Positioner align="end" sideOffset={4} className="z-40">
          <Base.Popup className="min-w-60 rounded-1 bg-sheet py-1 shadow-lift outline-none">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function MenuChoice<T extends string>({ label, value, options, onChange }: { label: string; value: T; options: { value: T; word: string }[]; onChange: (value: T) => void }) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-3 pt-2 pb-1 text-xs text-ink-2">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={(next) => onChange(next as T)}>
        {options.map((option) => (
          <Base.RadioItem key={option.value} value={option.value} className={ITEM}>
            <Ticked>{option.word}</Ticked>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}

function Ticked({ children }: { children: ReactNode }) {
  return (
    <>
      <span className="size-4 text-sign"><Base.RadioItemIndicator><Glyph name="tick" /></Base.RadioItemIndicator></span>
      {children}
    </>
  );
}

export function MenuSwitch({ checked, onChange, children }: { checked: boolean; onChange: (on: boolean) => void; children: ReactNode }) {
  return (
    <Base.CheckboxItem checked={checked} onCheckedChange={onChange} className={ITEM}>
      <span className="size-4 text-sign"><Base.CheckboxItemIndicator><Glyph name="tick" /></Base.CheckboxItemIndicator></span>
      {children}
    </Base.CheckboxItem>
  );
}

export function MenuAction({ onSelect, children }: { onSelect: () => void; children: ReactNode }) {
  return <Base.Item onClick={onSelect} className={`${ITEM} pl-9`}>{children}</Base.Item>;
}

export const MenuRule = () => <Base.Separator className="my-1 h-px bg-rule" />;
