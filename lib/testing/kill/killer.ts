import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Books } from "../load/books";
import { killNow, startWorker, type Program } from "../load/processes";
import type { Cluster } from "./cluster";

const VICTIMS = ["web", "web", "worker", "postgres"] as const;
type Victim = (typeof VICTIMS)[number];
type StartWeb = (env: Record<string, string>) => Promise<Program>;

/** Two web processes, one in reserve that has started already, and a worker; each may be killed at any instant. */
export class Fleet {
  readonly kills: Record<Victim, number> = { web: 0, worker: 0, postgres: 0 };
  #toKill: Victim[] = [];
  #web: Program[] = [];
  #reserve: Promise<Program>;
  #worker: ChildProcess;

  private constructor(readonly cluster: Cluster, readonly random: () => number, readonly startWeb: StartWeb, web: Program[]) {
    this.#web = web;
    this.#reserve = startWeb(cluster.env);
    this.#worker = startWorker(cluster.env);
  }

  static async start(cluster: Cluster, random: () => number, startWeb: StartWeb): Promise<Fleet> {
    return new Fleet(cluster, random, startWeb, await Promise.all([startWeb(cluster.env), startWeb(cluster.env)]));
  }

  urls = (): string[] => this.#web.map(({ url }) => url);

  /**
   * Kills what the seed names until told to stop: after so many more operations have ended, and then some milliseconds, as the seed says.
   * Counted in operations, so that a slow machine is killed no oftener than it works.
   */
  async killUntil(isOver: () => boolean, books: Books, { everyTrials, withinMs, alsoThen }: { everyTrials: number; withinMs: number; alsoThen: () => Promise<unknown> }): Promise<void> {
    for (;;) {
      const at = books.ended + 1 + Math.floor(this.random() * 2 * everyTrials);
      while (books.ended < at && !isOver()) await sleep(5);
      await sleep(this.random() * withinMs);
      if (isOver()) return;
      const victim = this.#next();
      books.underKill += books.inFlight;
      this.kills[victim]++;
      await this.#kill(victim);
      if (this.random() < 0.5) await alsoThen();
    }
  }

  /** Each once before any comes again, in an order that the seed says. */
  #next(): Victim {
    if (this.#toKill.length === 0) this.#toKill = [...VICTIMS];
    return this.#toKill.splice(Math.floor(this.random() * this.#toKill.length), 1)[0]!;
  }

  async #kill(victim: Victim): Promise<void> {
    if (victim === "postgres") return this.cluster.killAndRestart();
    if (victim === "worker") {
      await killNow(this.#worker);
      this.#worker = startWorker(this.cluster.env);
      return;
    }
    const dead = this.#web.splice(Math.floor(this.random() * this.#web.length), 1)[0]!;
    await killNow(dead.child);
    this.#web.push(await this.#reserve);
    this.#reserve = this.startWeb(this.cluster.env);
  }

  async stop(): Promise<void> {
    const reserve = await this.#reserve.catch(() => null);
    for (const child of [this.#worker, ...this.#web.map((each) => each.child), ...(reserve ? [reserve.child] : [])]) await killNow(child);
  }
}
