"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ChangeView } from "@/lib/changes/view";
import { changeQuery } from "@/lib/browser/queries";
import { moneyText } from "@/components/ui/money";

export type Moved = { label: string; was: string; now: string };

type Shown = { change: ChangeView | undefined; moved: Moved[]; error: Error | null; lookAgain: () => void };

/**
 * The change as the reader sees it. It is read again and again, but figures that a decision rests on are never swapped
 * under the reader: they are told what moved, and see the new ones when they look again.
 */
export function useShownChange(id: string, initial: ChangeView | undefined): Shown {
  const own = initial?.id === id ? initial : undefined;
  const { data: latest, error, refetch } = useQuery({ ...changeQuery(id), ...(own && { initialData: own }) });
  const [held, setHeld] = useState(latest);
  const change = held?.id === id ? held : latest;
  const sameBasis = !change || !latest || change.state !== "staged" || latest.state !== "staged" || (change.digest === latest.digest && change.factsDigest === latest.factsDigest);
  if (latest && sameBasis && held !== latest) setHeld(latest);
  return {
    change: sameBasis ? latest : change,
    moved: change && latest && !sameBasis ? movedFigures(change, latest) : [],
    error: latest ? null : error,
    lookAgain: () => void refetch().then(({ data }) => data && setHeld(data)),
  };
}

/** What moved between two readings of a change, in words; never empty for two that differ. */
export function movedFigures(was: ChangeView, now: ChangeView): Moved[] {
  const money = (minor: bigint) => moneyText(minor.toString(), now.currency);
  const remaining = (change: ChangeView) => money(BigInt(change.payment.remainsAfterMinor) + BigInt(change.amountMinor));
  const figures: Moved[] = [
    { label: "Remaining", was: remaining(was), now: remaining(now) },
    { label: "Refunded and held", was: taken(was, money), now: taken(now, money) },
    { label: "Signatures needed", was: String(was.required), now: String(now.required) },
    { label: "Policy version", was: String(was.verdict.policy), now: String(now.verdict.policy) },
  ];
  const moved = figures.filter((figure) => figure.was !== figure.now);
  if (moved[0]?.label === "Remaining") return moved.filter((figure) => figure.label !== "Refunded and held");
  return moved.length > 0 ? moved : [{ label: "What is refunded of a line", was: "what you see", now: "something else" }];
}

const taken = ({ payment }: ChangeView, money: (minor: bigint) => string): string => money(BigInt(payment.refundedMinor) + BigInt(payment.heldMinor));
