import { spawnSync } from "node:child_process";
import { prepare } from "./prepare.mjs";
import { fail, isMain } from "./steps.mjs";

/** Lint with the order of imports, and types. No database, no build: seconds. */
export const CHECKS = [
  { name: "route types", args: ["node_modules/next/dist/bin/next", "typegen"] },
  { name: "lint", args: ["node_modules/oxlint/bin/oxlint", "--type-aware"] },
  { name: "types", args: ["node_modules/typescript/bin/tsc", "--noEmit", "-p", "."] },
];

if (isMain(import.meta)) await prepare().then(check).catch(fail);

function check() {
  for (const { args } of CHECKS) {
    if (spawnSync(process.execPath, args, { stdio: "inherit" }).status !== 0) process.exitCode = 1;
  }
}
