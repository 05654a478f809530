/** One caller's loop body; called again and again, by several callers at once. */
export type Work = (caller: number) => Promise<unknown>;
export type Rate = { perSecond: number; p50: number; p99: number };

/** Runs `callers` loops for `ms`; operations per second and latencies in milliseconds. */
export async function rate(work: Work, callers: number, ms: number): Promise<Rate> {
  const took: number[] = [];
  const started = performance.now();
  const loop = async (caller: number): Promise<void> => {
    while (performance.now() - started < ms) {
      const at = performance.now();
      await work(caller);
      took.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => loop(caller)));
  const seconds = (performance.now() - started) / 1000;
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { perSecond: took.length / seconds, p50: at(0.5), p99: at(0.99) };
}

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export type Compared = { figure: string; target: string; ratio: number; ours: Rate; theirs: Rate; met: boolean };

/** Alternates two ways of doing the same, round by round, and compares them by the median of the rounds' ratios. */
export async function compare(figure: string, target: number, ours: () => Promise<Rate>, theirs: () => Promise<Rate>, rounds: number): Promise<Compared> {
  const pairs: [Rate, Rate][] = [];
  await ours();
  await theirs();
  for (let round = 0; round < rounds; round++) pairs.push(round % 2 === 0 ? [await ours(), await theirs()] : await theirs().then(async (other): Promise<[Rate, Rate]> => [await ours(), other]));
  const middle = (pick: (pair: [Rate, Rate]) => Rate): Rate => ({
    perSecond: median(pairs.map((pair) => pick(pair).perSecond)), p50: median(pairs.map((pair) => pick(pair).p50)), p99: median(pairs.map((pair) => pick(pair).p99)),
  });
  const ratio = median(pairs.map(([a, b]) => a.perSecond / b.perSecond));
  return { figure, target: `≥ ${target}`, ratio, ours: middle(([a]) => a), theirs: middle(([, b]) => b), met: ratio >= target };
}
