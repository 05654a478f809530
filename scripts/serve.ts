import { closeDatabase } from "../lib/database/client";
import { databaseProblems } from "../lib/database/start-checks";
import { logger, takeOverConsole } from "../lib/edge/log";
import { trustedProxies } from "../lib/edge/server/peer";
import { makeServer } from "../lib/edge/server/server";
import { settingProblems } from "./serve-settings";

const PATIENCE_MS = 10_000;
const log = logger("web");

// The server never knows the owner's login, although .env may name it for migrations.
delete process.env.DATABASE_OWNER_URL;
const { env } = process;

const missing = settingProblems(env);
const problems = missing.length ? missing : await databaseProblems();
await closeDatabase(); // Next's bundles bring a client of their own
if (problems.length) {
  console.error(`Undersigned does not start:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
  process.exit(1);
}

const [host, port] = [env.HOST ?? "127.0.0.1", Number(env.PORT ?? 3000)];
env.NEXTAUTH_URL = env.UNDERSIGNED_URL; // next-auth's own name for it
Object.assign(env, { NODE_ENV: "production" });

takeOverConsole(log);
const { default: next } = await import("next");
const app = next({ dev: false, dir: process.cwd(), hostname: host, port });
await app.prepare();
const server = makeServer(app.getRequestHandler(), { proxies: trustedProxies(env.UNDERSIGNED_TRUSTED_PROXIES ?? ""), log });
server.once("error", (error: NodeJS.ErrnoException) => {
  process.stderr.write(`Undersigned does not start:\n  ${host}:${port} cannot be listened on: ${error.code === "EADDRINUSE" ? "the port is in use" : error.message}.\n`);
  process.exit(1);
});
server.listen(port, host, () => log.info({ host, port, url: env.UNDERSIGNED_URL }, "listening"));

let stopping = false;

/** Takes no new connection, lets requests in flight finish for ten seconds, and ends. */
function stop(signal: string): void {
  if (stopping) return;
  stopping = true;
  log.info({ signal }, "stopping");
  setTimeout(() => server.closeAllConnections(), PATIENCE_MS).unref();
  setInterval(() => server.closeIdleConnections(), 100).unref();
  server.close(() => {
    void Promise.allSettled([app.close(), closeDatabase()]).then(() => process.exit(0));
  });
}
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, stop);
