"use client";

import { useEffect, useEffectEvent } from "react";

/** The single key of an event, or null where it is not ours: repeats, modifiers, text fields, open dialogs and menus. */
function singleKey(event: KeyboardEvent): string | null {
  if (event.defaultPrevented || event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.shiftKey && event.key !== "?") return null;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest("input, textarea, select, [contenteditable]:not([contenteditable='false']), [role='dialog'], [role='menu'], [role='listbox']")) return null;
  if (document.querySelector("[role='dialog'], [role='menu']")) return null;
  return event.key;
}

/** Listens for single keys on the whole page while `on`. */
export function useShortcuts(keys: Record<string, () => void>, on: boolean): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const key = singleKey(event);
    const act = key === null ? undefined : keys[key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    if (!on) return;
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [on]);
}
