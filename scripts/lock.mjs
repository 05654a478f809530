import { existsSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { passedFolder, writePrivately } from "./private.mjs";
import { Stop } from "./steps.mjs";

/**
 * Lets one process at a time have what `file` stands for, and throws `Stop` for the next, with the sentence that
 * `taken(pid)` makes. Gives what gives it back. A lock whose process is gone counts for nothing; `scripts` are those that take it.
 * @param {string} file
 * @param {(pid: number) => string} taken
 * @param {string[]} scripts
 */
export function lock(file, taken, scripts = [basename(process.argv[1])]) {
  passedFolder(dirname(file));
  const holder = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
  if (holder && holds(holder, scripts)) throw new Stop(taken(holder));
  writePrivately(file, String(process.pid));
  return () => rmSync(file, { force: true });
}

/** Whether the process runs and, where that can be read, is one of the scripts: numbers are used again. */
function holds(pid, scripts) {
  try {
    process.kill(pid, 0);
    const [own, its] = ["self", pid].map((id) => `/proc/${id}/cmdline`);
    return !existsSync(own) || scripts.some((script) => readFileSync(its, "utf8").includes(script));
  } catch {
    return false;
  }
}
