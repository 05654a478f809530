type Sums = { captured: bigint; taken: bigint };

/** What a log's changes take from each payment. */
export class Payments {
  private readonly sums = new Map<string, Sums>();

  /** What was captured, as a staged change saw it last. */
  seen(payment: string, captured: bigint): void {
    const sums = this.sums.get(payment);
    if (sums) sums.captured = captured;
    else this.sums.set(payment, { captured, taken: 0n });
  }

  /** Takes (or with a negative amount gives back). Says what is wrong where more is taken than was captured. */
  take(payment: string, amount: bigint): string | null {
    const sums = this.sums.get(payment) ?? { captured: 0n, taken: 0n };
    this.sums.set(payment, sums);
    sums.taken += amount;
    return amount > 0n && sums.taken > sums.captured ? `${sums.taken} of ${payment} is refunded or held, ${sums.captured} was captured` : null;
  }
}
