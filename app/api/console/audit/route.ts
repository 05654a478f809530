import { z } from "zod";
import { readAudit } from "@/lib/changes/audit-view";
import { readQuery } from "@/lib/edge/query";
import { personRoute } from "@/lib/edge/route";

const Query = z.strictObject({ before: z.coerce.number().int().min(0).optional() });

export const GET = personRoute((ctx, { url }) => readAudit(ctx, readQuery(url, Query)));
