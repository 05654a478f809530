import { approveChange } from "../../lib/changes/approve";
import { readChange } from "../../lib/changes/queries";
import { listChanges } from "../../lib/changes/queue";
import { rejectChange } from "../../lib/changes/reject";
import { retractApproval } from "../../lib/changes/retract";
import { look, makeMerchant, makeOrder, stage } from "../../lib/testing/factories";
import { median } from "./rounds";

export type Cost = { verb: string; ms: number };
const TIMES = 60;

/** What one call of each verb takes, alone, in milliseconds: medians. */
export async function costOfVerbs(): Promise<Cost[]> {
  const merchant = await makeMerchant({ refund_approvals: [{ approvals: 1 }], undo_seconds: 60 });
  const order = await makeOrder(merchant.id, { lines: [{ quantity: 1, paidMinor: 90_000_000n }] });
  const took = new Map<string, number[]>();
  const time = async <T>(verb: string, work: () => Promise<T>): Promise<T> => {
    const at = performance.now();
    const result = await work();
    took.set(verb, [...(took.get(verb) ?? []), performance.now() - at]);
    return result;
  };
  const ctx = await merchant.tom.ctx();
  for (let n = 0; n < TIMES; n++) {
    const change = await stage(merchant, order, { amountMinor: 100n });
    await time("read a change as its page does", () => readChange(ctx, change.id));
    const form = await look(merchant.tom, change.id);
    await time("approve", () => approveChange(ctx, form));
    await time("take back", () => retractApproval(ctx, form));
    await time("reject", () => rejectChange(ctx, { ...form, code: "other", reason: "bench" }));
    await time("read the queue", () => listChanges(ctx, { view: "waiting" }));
  }
  return [...took].map(([verb, times]) => ({ verb, ms: median(times) }));
}
