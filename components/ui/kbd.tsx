"use client";

import { usePreferences } from "./preferences";

/** The key that does the same. Not shown where single keys are switched off or there is no keyboard to speak of. */
export function Kbd({ children }: { children: string }) {
  const { shortcuts } = usePreferences();
  if (!shortcuts) return null;
  return (
    <kbd aria-hidden="true" className="min-w-[1.125rem] rounded-1 border border-current px-1 text-center font-mono text-[0.6875rem]/4 font-medium opacity-75 phone:hidden coarse:hidden">
      {children}
    </kbd>
  );
}
