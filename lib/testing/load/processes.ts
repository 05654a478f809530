import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../../scripts/steps.mjs";

/** `faults` are the SQLSTATEs of what it answered with a 5xx. */
export type Program = { child: ChildProcess; url: string; faults: string[] };

/** Programs that ended although nobody killed them. */
export const fallen: string[] = [];

/** Starts a program of this repository that dies with our pipe, and says on its output what went wrong. */
function start(args: readonly string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, ["--import", "tsx", ...args], { stdio: ["pipe", "pipe", "ignore"], env: { ...process.env, LOG_LEVEL: "error", ...env } });
  child.stdin!.on("error", () => undefined);
  return child;
}

function watch(child: ChildProcess, name: string): void {
  child.once("exit", (code, signal) => { if (signal !== "SIGKILL") fallen.push(`${name} ended with ${code ?? signal}`); });
}

/** A process of the agent API (scripts/api-process.ts), when it listens. */
export async function startApi(env: Record<string, string>): Promise<Program> {
  const child = start(["--import", "./scripts/without-next-auth.mjs", "scripts/api-process.ts"], env);
  watch(child, "the API's process");
  const lines = createInterface(child.stdout!);
  const [line] = (await Promise.race([once(lines, "line"), once(child, "exit").then(() => Promise.reject(new Error("the API's process ended as it started")))])) as [string];
  return { child, url: `http://127.0.0.1:${(JSON.parse(line) as { port: number }).port}`, faults: faultsIn(lines) };
}

/** What it says at level error, as SQLSTATE where it has one. */
function faultsIn(lines: Interface): string[] {
  const faults: string[] = [];
  lines.on("line", (said: string) => faults.push(sqlStateIn(said) ?? said));
  return faults;
}

function sqlStateIn(said: string): string | undefined {
  try {
    return (JSON.parse(said) as { err?: { sqlState?: string } }).err?.sqlState;
  } catch {
    return undefined;
  }
}

const TRIES = 60;

/**
 * The product's server (scripts/serve.ts) around the build in `distDir`, when it answers. Where the database is away it does not start, and
 * says so: as whatever keeps it running in production, this starts it again.
 */
export async function startWeb(env: Record<string, string>, distDir: string): Promise<Program> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const child = start(["--import", "./scripts/follow.mjs", "scripts/serve.ts"], { NODE_ENV: "production", NEXT_DIST_DIR: distDir, HOST: "127.0.0.1", PORT: String(port), UNDERSIGNED_URL: url, ...env });
    const faults = faultsIn(createInterface(child.stdout!));
    if (await answers(`${url}/api/live`, child)) {
      watch(child, "the web server");
      return { child, url, faults };
    }
    if (attempt === TRIES) throw new Error(`the web server does not start: ${faults.at(-1) ?? "it says nothing"}`);
  }
}

/** Waits for an answer; false where the program ended before. */
async function answers(url: string, child: ChildProcess): Promise<boolean> {
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return true;
    await sleep(50);
  }
  return false;
}

/** The worker as production runs it; it ends with this process. */
export function startWorker(env: Record<string, string>): ChildProcess {
  const child = start(["--import", "./scripts/follow.mjs", "scripts/worker.ts"], { UNDERSIGNED_WORKER_IDLE_MS: "50", ...env });
  watch(child, "the worker");
  child.stdout!.resume();
  return child;
}

/** `kill -9`, and gone when this resolves. */
export async function killNow(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
