/** What the platform does wrong with a write. All but `refuse` and `lose` commit it; `late` does so some time after the answer was lost. */
export const FAULTS = ["drop_answer", "answer_500", "delay", "duplicate", "late", "refuse", "lose"] as const;
export type Fault = (typeof FAULTS)[number];

/** A small generator (mulberry32): the same seed, the same faults. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
