export type Ask = { reference: string; payment: string; currency: string; amountMinor: string };
export type Refund = { id: string; reference: string; payment: string; amountMinor: bigint };
export type Written = { refund: Refund; replayed: boolean } | { refused: "exceeds_refundable" | "unknown_payment" };

/** The platform's own books: it pays what it is asked, once per key, until it forgets the key. Never more than was captured. */
export class PlatformLedger {
  readonly refunds: Refund[] = [];
  readonly #captured = new Map<string, bigint>();
  readonly #disputed = new Map<string, bigint>();
  readonly #keys = new Map<string, Refund>();
  /** Of writes that have arrived and are not done. */
  readonly #underway = new Set<string>();

  setPayment(id: string, capturedMinor: bigint, disputedMinor: bigint): void {
    this.#captured.set(id, capturedMinor);
    this.#disputed.set(id, disputedMinor);
  }

  payment(id: string): { capturedMinor: bigint; refundedMinor: bigint; disputedMinor: bigint } | null {
    const capturedMinor = this.#captured.get(id);
    if (capturedMinor === undefined) return null;
    const refundedMinor = this.refunds.filter(({ payment }) => payment === id).reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    return { capturedMinor, refundedMinor, disputedMinor: this.#disputed.get(id) ?? 0n };
  }

  write(key: string, { reference, payment, amountMinor }: Ask): Written {
    const before = this.#keys.get(key);
    if (before) return { refund: before, replayed: true };
    const books = this.payment(payment);
    if (!books) return { refused: "unknown_payment" };
    if (books.refundedMinor + BigInt(amountMinor) > books.capturedMinor - books.disputedMinor) return { refused: "exceeds_refundable" };
    const refund = { id: `ext-${this.refunds.length + 1}`, reference, payment, amountMinor: BigInt(amountMinor) };
    this.refunds.push(refund);
    this.#keys.set(key, refund);
    return { refund, replayed: false };
  }

  /** A write that has arrived: done when the returned function is called. */
  writeLater(key: string, ask: Ask): () => void {
    this.#underway.add(key);
    return () => { this.write(key, ask); this.#underway.delete(key); };
  }

  find(reference: string): Refund | undefined {
    return this.refunds.find((refund) => refund.reference === reference);
  }

  forgetKeys(): void {
    for (const key of this.#keys.keys()) if (!this.#underway.has(key)) this.#keys.delete(key);
  }
}
