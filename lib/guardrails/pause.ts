import type { Ctx } from "../kernel/context";
import { authorise } from "../kernel/permit";
import { commit } from "../ledger/commit";

/** The head's pause flag: while it is up nothing is staged and nothing is applied. */
export async function setPaused(ctx: Ctx, paused: boolean): Promise<void> {
  const permit = authorise(ctx, "merchant:govern");
  const verb = paused ? "pause" : "resume";
  await commit(permit, { verb, subject: ctx.merchantId }, async ({ append }) => {
    const entry = await append({ type: paused ? "merchant.paused" : "merchant.resumed", subject: ctx.merchantId, data: {} });
    return { result: undefined, entries: [entry], effects: [] };
  });
}
