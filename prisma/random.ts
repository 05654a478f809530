/** A small seeded generator (mulberry32): the same seed tells the same shop on every machine. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let x = this.state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `low` to `high`, both included; `lean` above 1 favours the low end. */
  int(low: number, high: number, lean = 1): number {
    return low + Math.floor(this.next() ** lean * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[], lean = 1): T {
    return list[this.int(0, list.length - 1, lean)] as T;
  }
}
