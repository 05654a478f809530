import { count } from "../kernel/metrics";
import { applyChange } from "../changes/apply";
import { expireChange } from "../changes/expire";
import { claimDue, settle, type Claimed } from "../outbox/claim";
import { closeRefusalMinutes } from "./close-refusal-minutes";
import { forgetMinutes } from "./forget-minutes";

const BATCH = 50;

const HANDLERS: Record<Claimed["type"], (merchantId: string, changeId: string) => Promise<unknown>> = {
  "change.apply": applyChange,
  "change.expire": expireChange,
};

export type JobFailure = { claimed: Claimed; error: unknown };

/** One bounded batch of what is due. A job that fails stays leased and comes again. Gives how many ran, and what failed. */
export async function runDueJobs(): Promise<{ ran: number; failures: JobFailure[] }> {
  const due = await claimDue(BATCH);
  const failures: JobFailure[] = [];
  const byMerchant = new Map<string, Claimed[]>();
  for (const claimed of due) byMerchant.set(claimed.merchantId, [...(byMerchant.get(claimed.merchantId) ?? []), claimed]);
  // A platform that hangs holds up its own merchant only.
  await Promise.all([...byMerchant.values()].map((jobs) => runInTurn(jobs, failures)));
  await closeRefusalMinutes();
  await forgetMinutes();
  return { ran: due.length, failures };
}

async function runInTurn(jobs: readonly Claimed[], failures: JobFailure[]): Promise<void> {
  for (const claimed of jobs) {
    try {
      await HANDLERS[claimed.type](claimed.merchantId, claimed.subject);
      await settle(claimed);
      count("undersigned_jobs", { type: claimed.type, outcome: "done" });
    } catch (error) {
      failures.push({ claimed, error });
      count("undersigned_jobs", { type: claimed.type, outcome: "failed" });
    }
  }
}
