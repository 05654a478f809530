import { chmodSync, closeSync, fchmodSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";

// What is written beside the code (data, logs, secrets) is for this account alone, whatever its umask and whatever an earlier version left.

/** Started as root, PostgreSQL runs as another account, which must pass through the folders above its own: it may, and may list none. */
const PASSED = process.getuid?.() === 0 ? 0o711 : 0o700;

/** Where the demo, the tests and the bench keep theirs. */
const OWN = resolve(".data");

/** A folder that nobody else reads. */
export const privateFolder = (folder) => make(folder, 0o700);

/** A folder that nobody else reads, with a PostgreSQL of ours in it or below. */
export const passedFolder = (folder) => make(folder, PASSED);

/** Opens a file that nobody else reads, empty, and gives its descriptor. Its folder is there. */
export function privateFile(file) {
  const open = openSync(file, "w", 0o600);
  fchmodSync(open, 0o600);
  return open;
}

/** Writes such a file. */
export function writePrivately(file, text) {
  const open = privateFile(file);
  writeFileSync(open, text);
  closeSync(open);
}

function make(folder, mode) {
  mkdirSync(dirname(folder), { recursive: true, mode: PASSED });
  mkdirSync(folder, { recursive: true, mode });
  if (resolve(folder).startsWith(OWN + sep)) chmodSync(OWN, PASSED);
  chmodSync(folder, mode);
}
