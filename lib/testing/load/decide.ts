import type { Ctx, PersonActor } from "../../kernel/context";
import { Refusal, type RefusalCode } from "../../kernel/refusal";
import { databaseNow, sqlState } from "../../database/transactions";
import { approveChange } from "../../changes/approve";
import { readChange } from "../../changes/queries";
import { rejectChange } from "../../changes/reject";
import { retractApproval } from "../../changes/retract";
import { retryChange } from "../../changes/retry";

export type Form = { changeId: string; seenDigest: string; seenFactsDigest: string };
/** A person's step on a change; `look` gives the form that the others send. */
export type Asked = { merchantId: string; person: PersonActor; verb: "look" | "approve" | "reject" | "retract" | "retry"; form: Form };
export type Told = { status: number; body: { form?: Form; done?: true; code?: RefusalCode; fault?: string } };

/** People's verbs as one call, for processes of tests: no cookie, but the sign-in is read as ever. */
export async function decide({ merchantId, person, verb, form }: Asked): Promise<Told> {
  try {
    const ctx: Ctx<PersonActor> = { merchantId, actor: person, now: await databaseNow(), requestId: "test" };
    if (verb === "look") {
      const { digest, factsDigest } = await readChange(ctx, form.changeId);
      return { status: 200, body: { form: { changeId: form.changeId, seenDigest: digest, seenFactsDigest: factsDigest } } };
    }
    if (verb === "approve") await approveChange(ctx, form);
    else if (verb === "reject") await rejectChange(ctx, { ...form, code: "other", reason: "Not shown to be damaged" });
    else if (verb === "retract") await retractApproval(ctx, form);
    else await retryChange(ctx, form);
    return { status: 200, body: { done: true } };
  } catch (error) {
    return error instanceof Refusal ? { status: 409, body: { code: error.code } } : { status: 503, body: { fault: sqlState(error) ?? String(error) } };
  }
}
