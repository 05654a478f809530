import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { closeDatabase } from "../../database/client";
import { closeOwner, everyMerchant } from "../owner";
import { Books } from "../load/books";
import { callUntilDone, sendProposal, type Load } from "../load/callers";
import { throughHandlers, throughPages } from "../load/people";
import { fallen, startApi, startWeb } from "../load/processes";
import { makeShop } from "../load/shop";
import { verify, type Verdict } from "../load/verify";
import { seededRandom } from "../lossy-platform/faults";
import { startLossyPlatform } from "../lossy-platform/start";
import { openCluster, runAhead } from "./cluster";
import { Fleet } from "./killer";

export type KillPlan = {
  folder: string; seed: number; trials: number; callers: number; everyTrials: number;
  /** The build that the product's own server runs on; null: the handlers alone, in a process that starts fast. */
  distDir: string | null;
  say?: (line: string) => void;
};
export type KillReport = Verdict & {
  seed: number; trials: number; kills: Fleet["kills"]; underKill: number; cut: number; staged: number; approved: number; abandoned: number;
  /** Programs that ended by themselves. */
  fallen: string[]; refused: Record<string, number>; faults: Record<string, number>; failed: Record<string, number>; seconds: number;
};

const FAULT_RATE = 0.2;
const MIX = { stage: 50, approve: 42, reject: 3, retract: 3, withdraw: 2 };

/**
 * Hundreds of stagings and approvals on both platforms, at once and immediately or delayed, while web, worker and PostgreSQL are killed at
 * seeded instants; then everything settles, what was given up is sent again, and what callers were told is held against what is there.
 */
export async function runKills({ folder, seed, trials, callers, everyTrials, distDir, say = () => undefined }: KillPlan): Promise<KillReport> {
  const began = Date.now();
  const random = seededRandom(seed);
  const cluster = await openCluster(folder);
  Object.assign(process.env, cluster.env, { NEXTAUTH_SECRET: randomBytes(32).toString("base64url"), UNDERSIGNED_SIGN_INS_PER_MINUTE: "1000" });
  const lossy = await startLossyPlatform({ seed, rate: FAULT_RATE });
  const plan = { orders: 6, units: Math.max(100, trials), unitMinor: 100n };
  const [fleet, ...shops] = await Promise.all([
    Fleet.start(cluster, random, (env) => (distDir ? startWeb(env, distDir) : startApi(env))), ...[null, lossy].flatMap((platform) => [0, 1].map((undoSeconds) => makeShop({ ...plan, undoSeconds, platform }))),
  ]);
  const books = new Books();
  const persons = shops.flatMap(({ merchant: { maya, tom } }) => [maya, tom]);
  const people = distDir ? await throughPages(fleet.urls()[0]!, persons, distDir) : throughHandlers;
  const load: Load = { shops, books, random, people, urls: fleet.urls, more: () => books.trials < trials, mix: MIX, doubled: 0.1, giveUp: 0.2 };
  try {
    const calling = Promise.all(Array.from({ length: callers }, (_, caller) => callUntilDone(load, caller)));
    let isOver = false;
    const killing = fleet.killUntil(() => isOver, books, { everyTrials, withinMs: 200, alsoThen: () => lossy.control({ forgetKeys: true }) });
    const telling = setInterval(() => say(`${books.trials} trials, ${JSON.stringify(fleet.kills)}, ${books.cut} cut`), 15_000);
    await calling.finally(() => { isOver = true; clearInterval(telling); });
    await killing;
    const abandoned = books.abandoned.splice(0);
    say(`${books.trials} trials done; sending ${abandoned.length} again that were given up, and settling`);
    for (const [index, proposal] of abandoned.entries()) await sendProposal({ ...load, giveUp: 0 }, proposal, index);
    await settle(cluster.env.DATABASE_OWNER_URL);
    await lossy.control({ landLate: true });
    const verdict = await verify(shops, books);
    return {
      seed, trials: books.trials, kills: fleet.kills, underKill: books.underKill, cut: books.cut, staged: books.staged.size, approved: books.approved.length, abandoned: abandoned.length,
      fallen: fallen.splice(0), refused: Object.fromEntries(books.refused), faults: Object.fromEntries(books.faults), failed: await failures(), seconds: Math.round((Date.now() - began) / 1000), ...verdict,
    };
  } finally {
    await fleet.stop();
    await lossy.stop();
    await closeOwner();
    await closeDatabase();
    await cluster.remove();
  }
}

const ROUNDS = 40;
const A_ROUND_SECONDS = 61;

/** The worker brings everything that has begun to its end: its leases and pauses pass on a clock that runs ahead. */
async function settle(ownerUrl: string): Promise<void> {
  const open = () => everyMerchant().change.count({ where: { state: { in: ["approved", "applying"] } } });
  const due = async () => (await everyMerchant().$queryRaw<{ n: number }[]>`SELECT count(*)::int AS n FROM outbox WHERE type = 'change.apply' AND due_at <= ledger_clock()`)[0]!.n;
  for (let round = 1; round <= ROUNDS && (await open()) > 0; round++) {
    await runAhead(ownerUrl, round * A_ROUND_SECONDS);
    await sleep(200);
    while ((await due()) > 0) await sleep(100);
    await sleep(200);
  }
}

/** Changes that failed to apply, by cause: each was refused by a rule or by the platform, none is unclear. */
async function failures(): Promise<Record<string, number>> {
  const rows = await everyMerchant().$queryRaw<{ cause: string; n: number }[]>`SELECT entry::json -> 'data' ->> 'cause' AS cause, count(*)::int AS n FROM entry WHERE type = 'change.failed' GROUP BY 1`;
  return Object.fromEntries(rows.map(({ cause, n }) => [cause, n]));
}
