import { z } from "zod";
import type { Ctx, PersonActor } from "../kernel/context";
import { publishPolicy, type Published } from "./publish";
import { PolicyRules } from "./schema";

/** A form's policy: its rules as JSON, and the version that they were compared with. */
export const PublishForm = z.strictObject({ rules: z.string().transform(readJson).pipe(PolicyRules), base: z.coerce.number().int().min(1) });

export const publishFromForm = (ctx: Ctx<PersonActor>, { rules, base }: z.infer<typeof PublishForm>): Promise<Published> => publishPolicy(ctx, rules, base);

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
