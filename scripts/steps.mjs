import { existsSync, statfsSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** What a person can mend: its message is the one sentence they are told. */
export class Stop extends Error {}

/** Whether a module is the one that node was started with. */
export const isMain = (module) => module.url === pathToFileURL(process.argv[1] ?? "").href;

/** What a full disk looks like in the words of Node, npm, Next and PostgreSQL. */
const FULL = /ENOSPC|No space left on device/;

/** Says the one sentence of a `Stop`, or all of an unexpected error, and lets the process end with exit code 1. */
export function fail(error) {
  if (FULL.test(error?.message)) console.error(`\nThe disk that holds ${process.cwd()} is full: free some space and start again.`);
  else if (error instanceof Stop) console.error(`\n${error.message}`);
  else console.error(error);
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

/** Whether the port can be listened on, on every address of this machine. */
export async function portIsFree(port) {
  for (const host of ["::", "0.0.0.0", "127.0.0.1"]) {
    const code = await listen(port, host).then(() => null, (error) => error.code);
    if (code === "EADDRINUSE" || code === "EACCES") return false;
  }
  return true;
}

function listen(port, host = "127.0.0.1") {
  return new Promise((done, refused) => {
    const server = createServer().once("error", refused);
    server.listen(port, host, () => {
      const { port: chosen } = server.address();
      server.close(() => done(chosen));
    });
  });
}
