import { pool, prisma } from "../database/client";
import { schemaState } from "../database/start-checks";
import { databaseNow } from "../database/transactions";
import { openMetrics } from "../kernel/metrics";

export const databaseAnswers = (): Promise<boolean> => databaseNow().then(() => true, () => false);

export type Readiness = { database: boolean; migrations: boolean; worker: boolean };

/** How long a due job may wait before it is said that no worker runs; a lease is a minute. */
const STALLED_SECONDS = 120;

/** Whether requests may be sent here: the database answers under the schema this version knows. `worker` tells whether due jobs get done. */
export async function readiness(): Promise<Readiness> {
  try {
    const { pending, unknown } = await schemaState();
    const migrations = pending.length === 0 && unknown.length === 0;
    return { database: true, migrations, worker: migrations && (await outboxDue()).oldestSeconds < STALLED_SECONDS };
  } catch {
    return { database: false, migrations: false, worker: false };
  }
}

async function outboxDue(): Promise<{ due: number; oldestSeconds: number }> {
  const [row] = await prisma().$queryRaw<{ due: bigint; oldestSeconds: number }[]>`SELECT due, oldest_seconds AS "oldestSeconds" FROM outbox_due()`;
  return { due: Number(row!.due), oldestSeconds: row!.oldestSeconds };
}

/** What this process has counted, and how the database and its pool stand now. Without a database it tells the rest. */
export async function metricsText(): Promise<string> {
  const { totalCount, idleCount, waitingCount } = pool();
  const outbox = await outboxDue().catch(() => null);
  return openMetrics([
    { metric: "undersigned_pool_connections", labels: { use: "busy" }, value: totalCount - idleCount },
    { metric: "undersigned_pool_connections", labels: { use: "idle" }, value: idleCount },
    { metric: "undersigned_pool_waiting", value: waitingCount },
    ...(outbox ? [{ metric: "undersigned_outbox_due", value: outbox.due } as const, { metric: "undersigned_outbox_oldest_seconds", value: outbox.oldestSeconds } as const] : []),
  ]);
}
