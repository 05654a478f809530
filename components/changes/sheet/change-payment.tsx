import type { ChangeView } from "@/lib/changes/view";
import { PaymentStanding } from "@/components/payment/standing";
import type { Part } from "@/components/payment/purse";
import { Money } from "@/components/ui/money";

export function ChangePayment({ change }: { change: ChangeView }) {
  const { payment, currency, amountMinor } = change;
  const disputed: Part[] = payment.disputedMinor === "0" ? [] : [{ word: "Disputed", minor: payment.disputedMinor, look: "dispute" }];
  // A change that is applied is part of what is refunded; one that ended otherwise takes nothing.
  const open = change.state === "staged" || change.state === "approved" || change.state === "applying";
  const own: Part[] = open ? [{ word: "This change", minor: amountMinor, look: "this" }] : [];
  return (
    <PaymentStanding
      paymentId={payment.id}
      captured={payment.capturedMinor}
      currency={currency}
      parts={[
        { word: "Refunded", minor: payment.refundedMinor, look: "spent" },
        { word: "Held", minor: payment.heldMinor, look: "hatch" },
        ...disputed,
        ...own,
        { word: open ? "Remains after" : "Remains", minor: payment.remainsAfterMinor, look: "blank" },
      ]}
      stagedWord="Staged elsewhere"
      staged={payment.stagedElsewhereMinor === "0" ? "none" : <a href="#elsewhere" className="link"><Money minor={payment.stagedElsewhereMinor} currency={currency} /></a>}
    />
  );
}
