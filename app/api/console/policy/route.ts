import { z } from "zod";
import { readQuery } from "@/lib/edge/query";
import { personRoute } from "@/lib/edge/route";
import { readPolicyView } from "@/lib/guardrails/policy-view";

const Query = z.strictObject({ before: z.coerce.number().int().min(1).max(2_147_483_647).optional() });

export const GET = personRoute((ctx, { url }) => readPolicyView(ctx, readQuery(url, Query)));
