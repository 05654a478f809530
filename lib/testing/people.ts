import { Refusal } from "../kernel/refusal";
import { proposeRefund, ProposeInput } from "../changes/propose";
import { readChange } from "../changes/queries";
import { rejectChange } from "../changes/reject";
import { trimChange, TrimInput } from "../changes/trim";
import { everyMerchant } from "./owner";
import { look, type TestOrder, type TestPerson } from "./factories";

/** What a person's form sends to propose a refund: by amount where nothing else is given. */
type Form = { by?: "lines" | "amount"; lines?: { lineId: string; quantity: number; restock: "none" | "returned" | "cancelled" }[]; shipping?: string; amount?: string; reason?: string; note?: string };

/** Proposes as the form of an order does, and gives the change. */
export async function propose(person: TestPerson, { id: orderId }: TestOrder, { lines, ...form }: Form = {}): Promise<{ id: string }> {
  const asked = { orderId, by: lines || form.shipping ? "lines" : "amount", amount: "10.00", reason: "goodwill", ...form, ...(lines && { lines: JSON.stringify(lines) }) };
  const { changeId } = await proposeRefund(await person.ctx(), ProposeInput.parse(asked));
  return { id: changeId };
}

/** Looks, lowers and signs. */
export async function trim(person: TestPerson, changeId: string, lowered: Record<string, string>) {
  return trimChange(await person.ctx(), TrimInput.parse({ ...(await look(person, changeId)), lowered: JSON.stringify(lowered) }));
}

export const reject = async (person: TestPerson, changeId: string, reason = "Not shown to be damaged") =>
  rejectChange(await person.ctx(), { changeId, seenDigest: (await look(person, changeId)).seenDigest, code: "other", reason });

export const view = async (person: TestPerson, changeId: string) => readChange(await person.ctx(), changeId);
export const stateOf = async (id: string): Promise<string> => (await everyMerchant().change.findFirstOrThrow({ where: { id } })).state;

/** "done", or why not: the rules of a guardrail by name, else the code. */
export const outcome = (work: Promise<unknown>): Promise<string> => work.then(() => "done", (error: unknown) => {
  if (error instanceof Refusal) return error.more.violations?.map(({ rule }) => rule).join(" ") ?? error.code;
  throw error;
});
