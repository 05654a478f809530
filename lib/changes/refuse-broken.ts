import { Refusal } from "../kernel/refusal";
import type { OrderFacts } from "../platforms/store/order-facts";
import type { Judged, Judgement } from "./judge";

/** Refuses what breaks a guardrail, with every cap it breaks; `fields` where a form is told. What was judged goes along, to be kept with the trace. */
export function refuseBroken(by: Judged["by"], { id: orderId, payment }: OrderFacts, { violations, verdict, amountMinor }: Judgement, fields?: Record<string, string[]>): void {
  if (violations.length === 0) return;
  throw new Refusal("guardrail_violation", {
    detail: violations.length === 1 ? "A guardrail refuses this" : `${violations.length} guardrails refuse this`, violations, ...(fields && { fields }),
    proposal: { by, orderId, currency: payment.currency, amountMinor, capturedMinor: payment.capturedMinor, verdict },
  });
}
