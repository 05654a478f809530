import { z } from "zod";
import { entryActor, type Ctx, type PersonActor } from "../kernel/context";
import { amountIn } from "../kernel/money";
import { Refusal } from "../kernel/refusal";
import type { Violation } from "../kernel/verdict";
import type { Db } from "../database/transactions";
import { authoriseDecision } from "../ledger/authorise-decision";
import { commit, type Ledger } from "../ledger/commit";
import { entryAt } from "../log/append";
import { readPolicy } from "../guardrails/queries";
import { readOrderFacts, type OrderFacts } from "../platforms/store/order-facts";
import { compose, type Proposal } from "./compose";
import { parseContent, REFUND_REASONS, type Content, type Item } from "./content";
import { judge } from "./judge";
import { eligibleApprovers } from "./judged";
import { lockPayment } from "./lock-payment";
import { refuseBroken } from "./refuse-broken";
import { composeItems } from "./refund-items";
import { expiryOf } from "./stage-proposal";
import { itemOf } from "./staged-row";

const Lines = z.array(z.strictObject({ lineId: z.string().max(64), quantity: z.int().min(1).max(1_000_000), restock: z.enum(["none", "returned", "cancelled"]) })).max(1000);

/** A person's form: `by` lines and shipping, or an amount, as it was typed ("12.50"). */
export const ProposeInput = z.object({
  orderId: z.string().min(1).max(64),
  by: z.enum(["lines", "amount"]),
  /** JSON. */
  lines: z.string().max(100_000).default("[]").transform((text, issues) => parseJson(text, Lines, issues)),
  shipping: z.string().trim().max(40).default(""),
  amount: z.string().trim().max(40).default(""),
  reason: z.enum(REFUND_REASONS, "Choose a reason"),
  note: z.string().trim().max(2000, "At most 2,000 characters").default(""),
});
export type ProposeInput = z.infer<typeof ProposeInput>;
export type Proposed = { changeId: string };

/** A person stages a refund, and may then not approve it. The same form sent again, while it waits, is the same change. */
export async function proposeRefund(ctx: Ctx<PersonActor>, input: ProposeInput): Promise<Proposed> {
  const { merchantId, actor } = ctx;
  const permit = await authoriseDecision(ctx, "change:propose", "propose", input.orderId);
  return commit(permit, { verb: "propose", subject: actor.id }, async (ledger) => {
    await lockPayment(ledger.db, merchantId, input.orderId);
    const order = await readOrderFacts(ledger.db, merchantId, input.orderId);
    if (!order) throw new Refusal("not_found");
    const items = itemsOf(input, order);
    const earlier = await earlierProposal(ledger.db, ctx, input, items);
    if (earlier) return { result: { changeId: earlier }, entries: [await entryAt(ledger.db, merchantId, earlier, 1)], effects: [] };

    const proposal = await judged(ledger, merchantId, order, items, actor.id);
    refuseBroken("person", order, proposal.judgement, byField(proposal.judgement.violations, input.by));
    const origin = { stager: entryActor(actor), keyId: null, sessionId: null, excludes: [actor.id], supersedes: null, trimmedBy: null };
    const words = { reason: input.reason, note: input.note || null, evidence: [], stagedAt: ledger.now, expiresAt: expiryOf(undefined, ledger.now, proposal.policy) };
    const { row } = compose(merchantId, proposal, origin, words);
    return { result: { changeId: row.id }, entries: [await ledger.stage(itemOf(row, null))], effects: [] };
  });
}

async function judged(ledger: Ledger, merchantId: string, order: OrderFacts, items: Item[], personId: string): Promise<Proposal> {
  const policy = await readPolicy(merchantId, ledger.policyVersion, ledger.db);
  const eligible = await eligibleApprovers(ledger.db, merchantId, [personId]);
  const refund = { id: null, stagedSeq: null, by: "person", currency: order.currency, items, holding: false } as const;
  return { order, items, policy, judgement: await judge(ledger.db, merchantId, order, refund, { policy, paused: ledger.paused, now: ledger.now, eligible }) };
}

function itemsOf(input: ProposeInput, order: OrderFacts): Item[] {
  const refund = { kind: "refund", orderId: order.id, reason: input.reason } as const;
  if (input.by === "amount") {
    const amount = positive(input.amount, order.currency, "amount");
    return composeItems({ ...refund, amount: { amountMinor: String(amount), currency: order.currency } }, order);
  }
  const shipping = input.shipping === "" ? null : positive(input.shipping, order.currency, "shipping");
  if (input.lines.some(({ lineId }) => !order.lines.some(({ id }) => id === lineId))) throw invalid("lines", "A line of another order");
  const items = composeItems({ ...refund, lines: input.lines, ...(shipping !== null && { shipping: { amountMinor: String(shipping) } }) }, order);
  if (items.every(({ before, after }) => before === after)) throw invalid("lines", "Choose what is to be refunded");
  return items;
}

function positive(typed: string, currency: string, field: string): bigint {
  const amount = amountIn(typed, currency);
  if (amount === null || amount === 0n) throw invalid(field, `Give an amount in ${currency}, such as ${currency === "JPY" ? "1200" : "12.50"}`);
  return amount;
}

const invalid = (field: string, text: string): Refusal => new Refusal("invalid_input", { fields: { [field]: [text] } });

/** The violations under the fields of the form: `rule cap actual`, or `units_left cap actual`, which the form says in its words. */
function byField(violations: readonly Violation[], by: ProposeInput["by"]): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const { rule, path, cap, actual } of violations) (fields[fieldOf(path, by)] ??= []).push([path.endsWith("/quantity") ? "units_left" : rule, cap, actual].join(" "));
  return fields;
}

function fieldOf(path: string, by: ProposeInput["by"]): string {
  const [, head, index] = path.split("/");
  if (head === "lines" && index !== undefined) return `lines.${index}`;
  return head === "shipping" ? head : by;
}

/** A double click, a second tab: this person's proposal of the very same that waits still. */
async function earlierProposal(db: Db, { merchantId, actor }: Ctx<PersonActor>, { orderId, reason, note }: ProposeInput, items: readonly Item[]): Promise<string | null> {
  const waiting = await db.change.findMany({ where: { merchantId, orderId, stagedBy: actor.id, state: "staged" }, include: { content: true } });
  const asked = JSON.stringify([reason, note || null, items]);
  const told = ({ reason: why, note: said, items: what }: Content) => JSON.stringify([why, said, what]);
  return waiting.find(({ content }) => content && told(parseContent(content.content)) === asked)?.id ?? null;
}

function parseJson<T>(text: string, schema: z.ZodType<T>, issues: z.RefinementCtx): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    issues.addIssue({ code: "custom", message: "Give whole numbers" });
    return z.NEVER;
  }
}
