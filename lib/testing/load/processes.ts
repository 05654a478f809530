import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** `faults` are the SQLSTATEs of what it answered with a 5xx. */
export type Program = { child: ChildProcess; url: string; faults: string[] };

/** Programs that ended although nobody killed them. */
export const fallen: string[] = [];

/** Starts a program of this repository that dies with our pipe, and says on its output what went wrong. */
function start(args: readonly string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, ["--import", "tsx", ...args], { stdio: ["pipe", "pipe", "ignore"], env: { ...process.env, LOG_LEVEL: "error", ...env } });
  child.stdin!.on("error", () => undefined);
  child.once("exit", (code, signal) => { if (signal !== "SIGKILL") fallen.push(`${args.at(-1)} ended with ${code ?? signal}`); });
  return child;
}

/** A process of the agent API (scripts/api-process.ts), when it listens. */
export async function startApi(env: Record<string, string>): Promise<Program> {
  const child = start(["--import", "./scripts/without-next-auth.mjs", "scripts/api-process.ts"], env);
  const lines = createInterface(child.stdout!);
  const [line] = (await Promise.race([once(lines, "line"), once(child, "exit").then(() => Promise.reject(new Error("the API's process ended as it started")))])) as [string];
  const faults: string[] = [];
  lines.on("line", (said: string) => faults.push((JSON.parse(said) as { err?: { sqlState?: string } }).err?.sqlState ?? said));
  return { child, url: `http://127.0.0.1:${(JSON.parse(line) as { port: number }).port}`, faults };
}

/** The worker as production runs it; it ends with this process. */
export function startWorker(env: Record<string, string>): ChildProcess {
  const child = start(["--import", "./scripts/follow.mjs", "scripts/worker.ts"], { UNDERSIGNED_WORKER_IDLE_MS: "50", ...env });
  child.stdout!.resume();
  return child;
}

/** `kill -9`, and gone when this resolves. */
export async function killNow(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
