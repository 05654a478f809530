"use client";

import { useState } from "react";
import type { OrderView } from "@/lib/changes/view";
import { Button } from "@/components/ui/button";
import { moneyText } from "@/components/ui/money";
import { ProposeForm, type Propose } from "./propose-form";

/** Proposing a refund from an order, or why none can be. */
export function ProposeRefund({ order, propose }: { order: OrderView; propose: Propose }) {
  const [open, setOpen] = useState(false);
  if (!order.proposal) return null;
  const why = whyNot(order);
  if (open) return <ProposeForm order={order} propose={propose} onCancel={() => setOpen(false)} />;
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button onClick={() => setOpen(true)} disabled={why !== null}>Propose a refund</Button>
      {why && <span className="text-ink-2">{why}</span>}
    </p>
  );
}

function whyNot({ payment, currency, proposal }: OrderView): string | null {
  if (proposal?.refused === "paused") return "This shop is paused: nothing can be proposed.";
  if (proposal?.refused === "no_cap_for_currency") return `No cap is set for ${currency}: nothing can be proposed.`;
  if (payment.refundableMinor !== "0") return null;
  const money = (minor: string) => moneyText(minor, currency);
  const disputed = payment.disputedMinor === "0" ? "" : `, disputed ${money(payment.disputedMinor)}`;
  return `Paid ${money(payment.capturedMinor)}, refunded ${money(payment.refundedMinor)}, held ${money(payment.heldMinor)}${disputed}: the most that can be proposed is ${money("0")}.`;
}
