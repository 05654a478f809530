import { applyChange } from "../changes/apply";
import { expireChange } from "../changes/expire";
import { claimDue, settle, type Claimed } from "../outbox/claim";
import { closeRefusalMinutes } from "./close-refusal-minutes";

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
  for (const claimed of due) {
    try {
      await HANDLERS[claimed.type](claimed.merchantId, claimed.subject);
      await settle(claimed);
    } catch (error) {
      failures.push({ claimed, error });
    }
  }
  await closeRefusalMinutes();
  return { ran: due.length, failures };
}
