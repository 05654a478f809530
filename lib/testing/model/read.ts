import { everyMerchant } from "../owner";
import type { LogEntry } from "./model";
import type { World } from "./world";

/** Reads what the log has gained into the chain's check and into the model. */
export async function readOn({ merchant, model, check }: World): Promise<void> {
  const rows = await everyMerchant().entry.findMany({ where: { merchantId: merchant.id, seq: { gte: model.next } }, orderBy: { seq: "asc" }, select: { entry: true } });
  if (rows.length === 0) return;
  const changes = await everyMerchant().change.findMany({ where: { merchantId: merchant.id }, select: { id: true, paymentId: true, expiresAt: true, effectiveAt: true, content: { select: { content: true } } } });
  const staged = (id: string) => {
    const { paymentId, expiresAt, content } = changes.find((each) => each.id === id)!;
    const { items } = JSON.parse(content!.content) as { items: { quantity?: number }[] };
    return { payment: paymentId, expiresAt, units: items.reduce((sum, { quantity = 0 }) => sum + quantity, 0) };
  };
  for (const { entry } of rows) {
    check.push(entry);
    model.read(JSON.parse(entry) as LogEntry, staged);
  }
  for (const { id, effectiveAt } of changes) model.change(id).effectiveAt = effectiveAt?.getTime() ?? null;
}

/** Rows against the model: every state, every payment's sums, who signed. */
export async function compare({ merchant, model }: World): Promise<void> {
  const changes = await everyMerchant().change.findMany({ where: { merchantId: merchant.id }, select: { id: true, state: true } });
  const differs = changes.find(({ id, state }) => model.change(id).state !== state);
  if (differs || changes.length !== model.changes.size) throw new Error(`rows and model differ: ${differs?.id ?? `${changes.length} changes`}`);
  for (const { id, refundedMinor, heldMinor, stagedMinor } of await everyMerchant().payment.findMany({ where: { merchantId: merchant.id } })) {
    const { refunded, held } = model.payments.get(id)!;
    const staged = [...model.changes.values()].filter((each) => each.payment === id && each.state === "staged").reduce((sum, { amount }) => sum + amount, 0n);
    if (refundedMinor !== refunded || heldMinor !== held || stagedMinor !== staged) throw new Error(`${id}: refunded ${refundedMinor} held ${heldMinor} staged ${stagedMinor}, the model has ${refunded}, ${held}, ${staged}`);
  }
  const signed = await everyMerchant().$queryRaw<{ id: string; persons: string[] }[]>`
    SELECT c.id, ARRAY(SELECT s.person_id FROM standing_approvals(c.merchant_id, c.id) s ORDER BY 1) AS persons FROM change c WHERE c.merchant_id = ${merchant.id}`;
  for (const { id, persons } of signed) if (persons.join() !== [...model.change(id).signed].toSorted().join()) throw new Error(`${id} is signed by ${persons.join()}`);
}
