import { z } from "zod";
import { listChanges } from "@/lib/changes/queue";
import { VIEWS } from "@/lib/changes/view";
import { readQuery } from "@/lib/edge/query";
import { personRoute } from "@/lib/edge/route";

const Query = z.strictObject({ view: z.enum(VIEWS).default("waiting"), cursor: z.string().regex(/^\d{1,18}$/).optional() });

export const GET = personRoute((ctx, { url }) => listChanges(ctx, readQuery(url, Query)));
