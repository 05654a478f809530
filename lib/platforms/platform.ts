import type { Reader } from "../database/transactions";

/** One item of a change, as a platform is asked to write it. */
export type ItemWrite = {
  merchantId: string; changeId: string;
  /** Its place in the content's items, from 0. */
  item: number;
  /** Revision of the change's `change.applying`. */
  revision: number;
  target: string; field: "refunded" | "shipping"; quantity: number | null; restock: string | null;
  orderId: string; orderNumber: string; paymentId: string; currency: string; amountMinor: bigint;
};

/** Ours, the same for every try of this item: what a platform is asked about when an answer was lost. */
export const referenceOf = ({ changeId, item }: Pick<ItemWrite, "changeId" | "item">): string => `${changeId}/${item}`;
/** The Idempotency-Key of this item: the same for every try under one `applying`. */
export const keyOf = ({ changeId, revision, item }: Pick<ItemWrite, "changeId" | "revision" | "item">): string => `${changeId}/${revision}/${item}`;

export type WriteAnswer = { outcome: "done"; reference: string } | { outcome: "refused"; cause: string };
export type PaymentOnPlatform = { capturedMinor: bigint; refundedMinor: bigint; disputedMinor: bigint };

/** No answer came, or none that says what happened. Nothing may be concluded but by looking it up. */
export class Unclear extends Error {
  override name = "Unclear";
}

/**
 * Where a change is really written. `write` is safe to repeat for as long as the platform remembers its key; `lookUp` finds a write by
 * our reference, whoever sent it and whenever, so whatever may have been sent is looked up first. Both throw `Unclear` where no answer comes.
 */
export type Platform = {
  readonly name: string;
  readonly capabilities: {
    /** Its writes are part of the caller's transaction: all items or none, and nothing can be lost. */
    transactional: boolean;
  };
  readPayment(db: Reader, payment: { merchantId: string; id: string }): Promise<PaymentOnPlatform | null>;
  write(db: Reader, write: ItemWrite): Promise<WriteAnswer>;
  lookUp(db: Reader, write: Pick<ItemWrite, "merchantId" | "changeId" | "item">): Promise<{ reference: string } | null>;
};
