import { z } from "zod";
import type { Ctx, PersonActor } from "../kernel/context";
import { Refusal } from "../kernel/refusal";
import type { Decided } from "../changes/decided";
import type { DecisionState } from "../changes/view";
import { currentCaller } from "./request-context";

const SAID: Record<Decided["verb"], string> = {
  approve: "Approved", endorse: "Signed, one more is needed", reject: "Rejected", retract: "Taken back", retry: "Applied", withdraw: "Withdrawn",
};

type Action = (previous: DecisionState, form: FormData) => Promise<DecisionState>;

/** A decision as a server action: the form by its schema, the verb, and a refusal as a state of the form. Faults go to error.tsx. */
export function decisionAction<S extends z.ZodType>(schema: S, decide: (ctx: Ctx<PersonActor>, input: z.infer<S>) => Promise<Decided>): Action {
  return async (_previous, form) => {
    const values = Object.fromEntries([...form].filter((pair): pair is [string, string] => typeof pair[1] === "string" && !pair[0].startsWith("$")));
    try {
      const caller = await currentCaller();
      if (!caller) throw new Refusal("unauthenticated");
      const parsed = schema.safeParse(values);
      if (!parsed.success) throw new Refusal("invalid_input", { fields: z.flattenError(parsed.error).fieldErrors as Record<string, string[]> });
      const { verb, changeId, leafHash, effectiveAt, at } = await decide(caller.ctx, parsed.data);
      return { status: "done", verb, message: SAID[verb], changeId, leafHash, effectiveAt: effectiveAt?.toISOString() ?? null, at: at.toISOString() };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { moved = [], fields = {} } = error.more;
      return { status: "refused", code: error.code, message: error.message, moved, fields, values, changeId: values.changeId ?? null };
    }
  };
}
