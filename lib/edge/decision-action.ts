import type { z } from "zod";
import type { Ctx, PersonActor } from "../kernel/context";
import type { Decided } from "../changes/decided";
import type { DecisionState } from "../changes/view";
import { signedIn, submit, textsOf } from "./form-action";

const SAID: Record<Decided["verb"], string> = {
  approve: "Approved", endorse: "Signed, one more is needed", schedule: "Time set", reject: "Rejected", retract: "Taken back", retry: "Applied", withdraw: "Withdrawn",
};

type Action = (previous: DecisionState, form: FormData) => Promise<DecisionState>;

/** A decision as a server action: the form by its schema, the verb, and a refusal as a state of the form. Faults go to error.tsx. */
export function decisionAction<S extends z.ZodType>(schema: S, decide: (ctx: Ctx<PersonActor>, input: z.infer<S>) => Promise<Decided>): Action {
  return async (_previous, form) => {
    const outcome = await submit(form, schema, signedIn, decide);
    if (outcome.status === "refused") {
      const values = Object.fromEntries(textsOf(form));
      return { ...outcome, values, changeId: values.changeId ?? null };
    }
    const { verb, changeId, leafHash, effectiveAt, at } = outcome.result;
    return { status: "done", verb, message: SAID[verb], changeId, leafHash, effectiveAt: effectiveAt?.toISOString() ?? null, at: at.toISOString() };
  };
}
