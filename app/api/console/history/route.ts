import { z } from "zod";
import { ChangeFilters } from "@/lib/changes/filters";
import { listHistory } from "@/lib/changes/history";
import { readQuery } from "@/lib/edge/query";
import { personRoute } from "@/lib/edge/route";

const Query = ChangeFilters.extend({ cursor: z.string().regex(/^\d{1,18}$/).optional() });

export const GET = personRoute((ctx, { url }) => {
  const { cursor, ...filters } = readQuery(url, Query);
  return listHistory(ctx, filters, cursor);
});
