import type { Reader } from "../database/transactions";
import type { Judged } from "./judge";
import type { LoadedChange } from "./load";

/** A change as it is judged: while it holds its money, that money is its own. */
export const judgedOf = (change: LoadedChange): Judged => ({
  id: change.id, stagedSeq: change.stagedSeq, by: change.agentId === null ? "person" : "agent", currency: change.currency, items: change.content.items,
  holding: change.state === "approved" || change.state === "applying",
});

/** What this person's standing approvals of the merchant's day put forward, this change aside, in minor units of its currency. */
export async function readApprovedToday(db: Reader, change: LoadedChange, personId: string, at: Date): Promise<bigint> {
  const [row] = await db.$queryRaw<{ sum: bigint }[]>`SELECT approved_today(${change.merchantId}, ${personId}, ${change.currency}, ${change.id}, ${at}) AS sum`;
  return row!.sum;
}

/** How many members may approve what these persons may not. */
export async function eligibleApprovers(db: Reader, merchantId: string, excludes: readonly string[]): Promise<number> {
  const [row] = await db.$queryRaw<{ eligible: number }[]>`SELECT eligible_approvers(${merchantId}, ${excludes}::text[]) AS eligible`;
  return row!.eligible;
}
