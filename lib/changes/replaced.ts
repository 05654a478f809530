import type { AgentActor, Ctx } from "../kernel/context";
import { Refusal } from "../kernel/refusal";
import type { Reader } from "../database/transactions";
import { expiryBlocker } from "./approval-blocker";
import { loadChange, type LoadedChange } from "./load";
import type { RefundInput } from "./refund-input";
import type { StageFacts } from "./stage-facts";

/** The agent's own staged change that this input is to take the place of, or null. Another agent's answers as if it did not exist. */
export async function readReplaced(db: Reader, { merchantId, actor, now }: Ctx<AgentActor>, { supersedes, orderId }: RefundInput): Promise<LoadedChange | null> {
  if (supersedes === undefined) return null;
  const change = await loadChange(db, merchantId, supersedes);
  if (change.agentId !== actor.id) throw new Refusal("not_found");
  const blocker = change.state === "staged" ? expiryBlocker(change, now) : new Refusal(`change_already_${change.state}`);
  if (blocker) throw blocker;
  if (change.orderId !== orderId) throw new Refusal("invalid_input", { detail: "Check /supersedes", fields: { "/supersedes": ["a change of another order"] } });
  return change;
}

type Figures = Pick<StageFacts, "excludes" | "velocity" | "otherRefunds"> & { order: NonNullable<StageFacts["order"]> };

/** The facts as they are once that change has made room; nobody who might not approve it may approve what takes its place. */
export const madeRoom = <F extends Figures>(facts: F, { amountMinor, excludes }: LoadedChange): F => ({
  ...facts,
  excludes: [...new Set([...facts.excludes, ...excludes])].toSorted(),
  velocity: { ...facts.velocity, pending: facts.velocity.pending - 1 },
  otherRefunds: facts.otherRefunds - amountMinor,
  order: { ...facts.order, payment: { ...facts.order.payment, stagedMinor: facts.order.payment.stagedMinor - amountMinor } },
});
