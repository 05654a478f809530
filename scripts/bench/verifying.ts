import { hash } from "node:crypto";
import { sha256 } from "../../lib/audit/sha256";
import { verify } from "../../lib/audit/verify";
import { LOG } from "../../lib/testing/log-builder";
import { longLog } from "../../lib/testing/long-log";
import { median, type Compared, type Rate } from "./rounds";

const ENTRIES = 1_000_000;
const ROUND = 50_000;
const TARGET = 8;

/** One log, verified and hashed in turns, some entries at a time: what it costs to check beside what it costs to read with `crypto.hash`. */
export async function benchVerifying(): Promise<Compared> {
  const ours: number[] = [];
  const theirs: number[] = [];
  const hashing = (lines: readonly string[]) => {
    const started = performance.now();
    for (const line of lines) hash("sha256", line, "hex");
    theirs.push(performance.now() - started);
  };
  async function* fed(): AsyncGenerator<readonly string[]> {
    yield [`{"format":"undersigned-bundle/1","log":"${LOG}","size":${ENTRIES},"keys":[]}`];
    const log = longLog(ENTRIES);
    for (let round = 0; round < ENTRIES / ROUND; round++) {
      const made = Array.from({ length: ROUND }, () => log.next().value as string);
      const lines = Buffer.from(made.join("\n")).toString().split("\n"); // as they come out of a file
      if (round % 2 === 0) hashing(lines);
      const started = performance.now();
      yield lines; // comes back when they are checked
      ours.push(performance.now() - started);
      if (round % 2 === 1) hashing(lines);
    }
    yield ['{"checkpoint":null}'];
  }
  const { ok, size } = await verify(fed(), sha256);
  if (!ok || size !== ENTRIES) throw new Error("The log of the bench does not verify");
  const ratio = median(ours.map((took, round) => took / theirs[round]!));
  return { figure: "verifying 1,000,000 entries, against crypto.hash over the same bytes", target: `≤ ${TARGET}`, ratio, ours: rateOf(ours), theirs: rateOf(theirs), met: ratio <= TARGET };
}

function rateOf(rounds: readonly number[]): Rate {
  const each = rounds.map((took) => took / ROUND);
  return { perSecond: 1000 / median(each), p50: median(each), p99: Math.max(...each) };
}
