"use client";

import { createContext, use, useMemo, useState, type ReactNode } from "react";
import { keepCookie } from "@/lib/browser/cookies";

export type Theme = "system" | "light" | "dark";
type Preferences = { theme: Theme; shortcuts: boolean };
type Held = Preferences & { setTheme: (theme: Theme) => void; setShortcuts: (on: boolean) => void };

const Context = createContext<Held | null>(null);

export function usePreferences(): Held {
  const held = use(Context);
  if (!held) throw new Error("PreferencesProvider is missing");
  return held;
}

/** Theme and single-key shortcuts: kept in cookies, so that the server paints the page right the first time. */
export function PreferencesProvider({ initial, children }: { initial: Preferences; children: ReactNode }) {
  const [held, setHeld] = useState(initial);
  const value = useMemo<Held>(
    () => ({
      ...held,
      setTheme: (theme) => {
        keepCookie("theme", theme);
        if (theme === "system") delete document.documentElement.dataset.theme;
        else document.documentElement.dataset.theme = theme;
        setHeld((before) => ({ ...before, theme }));
      },
      setShortcuts: (shortcuts) => {
        keepCookie("shortcuts", shortcuts ? "on" : "off");
        setHeld((before) => ({ ...before, shortcuts }));
      },
    }),
    [held],
  );
  return <Context value={value}>{children}</Context>;
}
