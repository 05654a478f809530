import { setTimeout as sleep } from "node:timers/promises";
import { runDueJobs } from "../../jobs/run";
import { Books } from "../load/books";
import { callUntilDone, type Load } from "../load/callers";
import { throughHandlers } from "../load/people";
import { killNow, startApi, type Program } from "../load/processes";
import { makeShop } from "../load/shop";
import { verify, type Verdict } from "../load/verify";
import { seededRandom } from "../lossy-platform/faults";
import { everyMerchant } from "../owner";

export type RacePlan = { seed: number; seconds: number; callers: number };
export type RaceReport = Verdict & { seed: number; trials: number; staged: number; approved: number; refused: Record<string, number>; faults: string[]; overshot: number; samples: number };

const MERCHANTS = 3;
const EACH_AT_LEAST = 4;
const MIX = { stage: 45, approve: 35, reject: 7, retract: 8, withdraw: 5 };

/**
 * Many callers on few merchants, over two processes of the API and a worker: they stage (some twice at once, to both), approve, reject,
 * take back and withdraw against payments that run dry. Runs on the database of `DATABASE_URL`.
 */
export async function runRace({ seed, seconds, callers }: RacePlan): Promise<RaceReport> {
  const random = seededRandom(seed);
  const shops = await Promise.all(Array.from({ length: MERCHANTS }, () => makeShop({ orders: 6 + Math.ceil(seconds / 20), units: 5, unitMinor: 300n, undoSeconds: 1, platform: null })));
  const processes = await Promise.all([startApi({}), startApi({})]);
  const books = new Books();
  const until = Date.now() + seconds * 1000;
  const more = () => Date.now() < until || books.trials < callers * EACH_AT_LEAST;
  const load: Load = { shops, books, random, people: throughHandlers, urls: () => processes.map(({ url }) => url), more, mix: MIX, doubled: 0.3, giveUp: 0 };
  const sampled = { overshot: 0, samples: 0 };
  let isCalling = true;
  const calling = Promise.all(Array.from({ length: callers }, (_, caller) => callUntilDone(load, caller))).finally(() => {
    isCalling = false;
    return Promise.all(processes.map(({ child }) => killNow(child)));
  });
  await Promise.all([calling, work(() => isCalling), watch(sampled, () => isCalling)]);
  const verdict = await verify(shops, books);
  return { seed, trials: books.trials, staged: books.staged.size, approved: books.approved.length, refused: Object.fromEntries(books.refused), faults: faultsOf(processes, books), ...sampled, ...verdict };
}

/** Everything that was answered with a 5xx. */
const faultsOf = (processes: readonly Program[], books: Books): string[] => [...processes.flatMap(({ faults }) => faults), ...books.faults.keys()];

/** The worker, until what was approved has taken effect. */
async function work(more: () => boolean): Promise<void> {
  const open = () => everyMerchant().change.count({ where: { state: { in: ["approved", "applying"] } } });
  while (more() || (await open()) > 0) {
    await runDueJobs();
    await sleep(200);
  }
}

/** Looks meanwhile for a payment that gave more than was captured. The database's CHECK refuses it; here somebody looks. */
async function watch(sampled: { overshot: number; samples: number }, more: () => boolean): Promise<void> {
  while (more()) {
    const [row] = await everyMerchant().$queryRaw<{ n: number }[]>`SELECT count(*)::int AS n FROM payment WHERE refunded_minor + held_minor > captured_minor - disputed_minor`;
    sampled.overshot += row!.n;
    sampled.samples++;
    await sleep(300);
  }
}
