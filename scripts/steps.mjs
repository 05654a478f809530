import { spawn } from "node:child_process";
import { createWriteStream, existsSync, mkdirSync, statfsSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** What a person can mend: its message is the one sentence they are told. */
export class Stop extends Error {}

/** Whether a module is the one that node was started with. */
export const isMain = (module) => module.url === pathToFileURL(process.argv[1] ?? "").href;

const FULL = /ENOSPC|No space left on device/;
const fullDisk = (where) => new Stop(`The disk that holds ${where} is full: free some space and start again.`);

/** Ends the process with the sentence of a `Stop`, or with the whole of an unexpected error. */
export function fail(error) {
  const sentence = FULL.test(String(error?.message)) && !(error instanceof Stop) ? fullDisk(process.cwd()) : error;
  console.error(sentence instanceof Stop ? `\n${sentence.message}` : error);
  process.exitCode = 1;
}

/** One line of progress: what is done, about how long it takes, how long it took. */
export async function step(what, about, work) {
  const started = Date.now();
  process.stdout.write(`· ${what}${about ? ` (about ${about})` : ""} … `);
  try {
    const result = await work();
    console.log(`${((Date.now() - started) / 1000).toFixed(1)} s`);
    return result;
  } catch (error) {
    console.log("failed");
    throw error;
  }
}

/**
 * Runs a command to its end with its output in a log file. Resolves to its exit code where `tolerate` is set;
 * else throws with the log's last lines when it is not 0.
 */
export async function run(command, args, { log, env = {}, tolerate = false, show = false } = {}) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  mkdirSync(dirname(log), { recursive: true });
  const file = createWriteStream(log);
  let tail = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      file.write(chunk);
      if (show) process.stdout.write(chunk);
      tail = (tail + chunk).slice(-4000);
    });
  }
  const code = await new Promise((done, refused) => child.once("error", refused).once("close", done));
  file.end();
  if (code === 0 || tolerate) return code;
  if (FULL.test(tail)) throw fullDisk(process.cwd());
  throw new Stop(`${tail.trim()}\n${[command, ...args].join(" ")} failed; all it said is in ${log}.`);
}

/** Throws where the disk that holds `folder` has less than so many megabytes left. */
export function needSpace(folder, megabytes) {
  let path = resolve(folder);
  while (!existsSync(path)) path = dirname(path);
  const { bavail, bsize } = statfsSync(path);
  const free = Math.floor((bavail * bsize) / 1e6);
  if (free < megabytes) throw new Stop(`The disk that holds ${resolve(folder)} has ${free} MB left and this needs about ${megabytes} MB: free some space and start again.`);
}

/** A port on loopback that nothing uses: the one that is wished for, or any. Rejects where the wished one is taken. */
export const freePort = (wish = 0) => listen(wish);

/** Whether nothing listens on the port, on any address of this machine. */
export const portIsFree = (port) => listen(port, "::").then(() => listen(port, "127.0.0.1")).then(() => true, () => false);

function listen(port, host = "127.0.0.1") {
  return new Promise((done, refused) => {
    const server = createServer().once("error", refused);
    server.listen(port, host, () => {
      const { port: chosen } = server.address();
      server.close(() => done(chosen));
    });
  });
}
