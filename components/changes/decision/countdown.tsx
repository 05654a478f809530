"use client";

import { useState, type ReactNode } from "react";
import { useNow } from "@/components/ui/clock";
import { Remaining } from "@/components/ui/meter";

/** Whole seconds until `effectiveAt`, never below 0, and what is left in percent of the time since it was first shown. */
export function useCountdown(effectiveAt: string): { seconds: number; percent: number } {
  const end = Date.parse(effectiveAt);
  const now = useNow(1000).getTime();
  const [start] = useState(now);
  const left = Math.max(0, end - now);
  return { seconds: Math.ceil(left / 1000), percent: Math.round((left * 100) / Math.max(1, end - start, left)) };
}

/** "Takes effect in 5 s". Stepping once a second, it is not read out each time. */
export function TakesEffect({ seconds }: { seconds: number }) {
  return seconds > 0 ? <span className="whitespace-nowrap">Takes effect in <b className="font-semibold tabular-nums">{seconds} s</b></span> : <>Taking effect…</>;
}

export function Countdown({ effectiveAt, children }: { effectiveAt: string; children: (seconds: number, bar: ReactNode) => ReactNode }) {
  const { seconds, percent } = useCountdown(effectiveAt);
  return children(seconds, <Remaining percent={percent} />);
}
