"use client";

import { useState, type ReactNode } from "react";
import { useNow, useSkew } from "@/components/ui/clock";
import { Remaining } from "@/components/ui/meter";

/** When an approval takes effect. `answered` is when the entry was written and, on this device's clock, when it was sent: never too long. */
export type Effect = { effectiveAt: string; answered?: { at: string; sentAt: number } };

/** Whole seconds that are left, never below 0, and what is left in percent. */
function useCountdown({ effectiveAt, answered }: Effect): { seconds: number; percent: number } {
  const skew = useSkew();
  const now = useNow(1000).getTime() - skew;
  const [opened] = useState(now);
  const end = answered ? answered.sentAt + Date.parse(effectiveAt) - Date.parse(answered.at) : Date.parse(effectiveAt) - skew;
  const left = Math.max(0, end - now);
  const whole = end - (answered?.sentAt ?? opened);
  return { seconds: Math.ceil(left / 1000), percent: Math.min(100, Math.round((left * 100) / Math.max(1, whole))) };
}

/** "Takes effect in 5 s". It steps once a second and is read out once. */
export function TakesEffect({ seconds }: { seconds: number }) {
  if (seconds === 0) return <>Taking effect…</>;
  return (
    <>
      <span aria-hidden="true" className="whitespace-nowrap">Takes effect in <b className="font-semibold tabular-nums">{seconds} s</b></span>
      <span className="sr-only">It takes effect in some seconds.</span>
    </>
  );
}

export function Countdown({ effect, children }: { effect: Effect; children: (seconds: number, bar: ReactNode) => ReactNode }) {
  const { seconds, percent } = useCountdown(effect);
  return children(seconds, <Remaining percent={percent} />);
}
