import { createServer } from "node:http";
import { closeDatabase } from "../lib/database/client";
import { logger } from "../lib/edge/log";
import { bearsMetricsToken, OPENMETRICS } from "../lib/edge/operator-token";
import { metricsText } from "../lib/jobs/health";
import { runDueJobs } from "../lib/jobs/run";

const log = logger("worker");
const IDLE_MS = Number(process.env.UNDERSIGNED_WORKER_IDLE_MS ?? 400);
const ALIVE_MS = 60_000;

let stopping = false;
let wake = () => {};
let lastRound = Date.now();
let away = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => { stopping = true; wake(); });
// It never knows the owner's login, although .env may name it for migrations.
delete process.env.DATABASE_OWNER_URL;

/** For probes: whether rounds are made, and what was counted. Only where UNDERSIGNED_WORKER_PORT names a port. */
const status = createServer(async ({ url, headers }, response) => {
  if (url === "/health") return response.writeHead(Date.now() - lastRound < ALIVE_MS ? 200 : 503).end();
  if (url !== "/metrics" || !bearsMetricsToken(headers.authorization)) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": OPENMETRICS }).end(await metricsText());
});
if (process.env.UNDERSIGNED_WORKER_PORT) status.listen(Number(process.env.UNDERSIGNED_WORKER_PORT), process.env.HOST ?? "127.0.0.1");

log.info("applies approvals that take effect and expires what was left");
while (!stopping) {
  const ran = await runDueJobs().then(
    ({ ran, failures }) => {
      for (const { claimed, error } of failures) log.error({ merchant: claimed.merchantId, type: claimed.type, subject: claimed.subject, attempts: claimed.attempts, err: error }, "job failed");
      lastRound = Date.now();
      if (away) log.info("jobs can be read again");
      away = false;
      return ran;
    },
    (error: unknown) => {
      if (!away) log.error({ err: error }, "jobs could not be read; trying again until they can");
      away = true;
      return 0;
    },
  );
  if (ran === 0 && !stopping) await new Promise<void>((resolve) => { wake = resolve; setTimeout(resolve, IDLE_MS); });
}
status.close();
await closeDatabase();
