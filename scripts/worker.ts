import { pino } from "pino";
import { closeDatabase } from "../lib/database/client";
import { runDueJobs } from "../lib/jobs/run";

const log = pino({ name: "worker" });
const IDLE_MS = Number(process.env.UNDERSIGNED_WORKER_IDLE_MS ?? 400);

let stopping = false;
let wake = () => {};
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => { stopping = true; wake(); });

log.info("applies approvals that take effect and expires what was left");
while (!stopping) {
  const ran = await runDueJobs().then(
    ({ ran, failures }) => {
      for (const { claimed, error } of failures) log.error({ type: claimed.type, subject: claimed.subject, attempts: claimed.attempts, err: error }, "job failed");
      return ran;
    },
    (error: unknown) => { log.error({ err: error }, "jobs could not be read"); return 0; },
  );
  if (ran === 0 && !stopping) await new Promise<void>((resolve) => { wake = resolve; setTimeout(resolve, IDLE_MS); });
}
await closeDatabase();
