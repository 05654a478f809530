import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { privateFile, privateFolder } from "./private.mjs";
import { Stop } from "./steps.mjs";

const TAIL = 4000;
const PATIENCE_MS = 10_000;
const alive = new Set();
let stopped = false;

/**
 * Starts a program with its output in a log file, `echo`ed here too where that is wished. `ended` resolves to its exit
 * code, or null after a signal; `tail()` gives the end of what it said.
 */
export function launch(command, args, { log, env = process.env, echo = false }) {
  if (stopped) throw new Stop("Stopped.");
  privateFolder(dirname(log));
  const file = createWriteStream(log, { fd: privateFile(log) });
  // A group of its own: Ctrl-C reaches this process alone, which then stops the others in order.
  const child = spawn(command, args, { env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      file.write(chunk);
      if (echo) process.stdout.write(chunk);
      said = (said + chunk).slice(-TAIL);
    });
  }
  const ended = new Promise((done, refused) => child.once("error", refused).once("close", done)).finally(() => {
    alive.delete(child);
    file.end();
  });
  alive.add(child);
  return { ended, tail: () => said.trim() };
}

/** Runs a program to its end. Throws with the end of what it said when its exit code is not 0. */
export async function run(command, args, options) {
  const program = launch(command, args, options);
  if ((await program.ended) === 0) return;
  throw new Stop(`${program.tail()}\n\n${[command, ...args].join(" ")} failed; all it said is in ${options.log}.`);
}

/** A program of this repository that is written in TypeScript, as arguments of Node. */
export const tsx = (file, ...args) => ["--import", "tsx", file, ...args];

/** Arguments of Node for a program that serves until it is stopped, and not longer than what started it. */
export const following = (...args) => ["--import", "./scripts/follow.mjs", ...args];

/** Stops what still runs, with whatever it started: politely, and after ten seconds for good. Nothing starts after it. */
export async function stopAll() {
  stopped = true;
  for (const [signal, patience] of [["SIGTERM", PATIENCE_MS], ["SIGKILL", 1000]]) {
    for (const child of alive) killGroup(child.pid, signal);
    for (const until = Date.now() + patience; alive.size > 0 && Date.now() < until; ) await sleep(20);
  }
}

/** Calls `stop` when this process is asked to end, or when the npm that started it is gone, which forwards no signal. */
export function onEnd(stop) {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && stop(), 1000).unref();
}

function killGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}
