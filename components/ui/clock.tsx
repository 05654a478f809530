"use client";

import { createContext, use, useEffect, useMemo, useState, type ReactNode } from "react";
import { keepCookie } from "@/lib/browser/cookies";

type Clock = { zone: string; /** When the server rendered, and how far this device's clock is from the server's. */ start: number; skew: number };

const Context = createContext<Clock | null>(null);

function useClock(): Clock {
  const clock = use(Context);
  if (!clock) throw new Error("ClockProvider is missing");
  return clock;
}

/** The viewer's zone: from the cookie on the server, from the browser ever after. */
export const useZone = (): string => useClock().zone;

/** How far this device's clock is from the server's, in milliseconds. */
export const useSkew = (): number => useClock().skew;

/** The server's time, as this device can tell it, stepping every `step` milliseconds. */
export function useNow(step: number): Date {
  const { start, skew } = useClock();
  const [now, setNow] = useState(start);
  useEffect(() => {
    const tick = () => setNow(Date.now() + skew);
    const first = setTimeout(tick, 0);
    const timer = setInterval(tick, step);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [step, skew]);
  return useMemo(() => new Date(now), [now]);
}

export function ClockProvider({ zone: cookieZone, now, children }: { zone: string; now: string; children: ReactNode }) {
  const start = Date.parse(now);
  const [zone, setZone] = useState(cookieZone);
  const [skew, setSkew] = useState(0);
  useEffect(() => {
    setSkew(start - Date.now());
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
    if (own === cookieZone) return;
    keepCookie("tz", own);
    setZone(own);
  }, [start, cookieZone]);
  const value = useMemo(() => ({ zone, start, skew }), [zone, start, skew]);
  return <Context value={value}>{children}</Context>;
}
