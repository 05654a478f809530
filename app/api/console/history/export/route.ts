import { z } from "zod";
import { ChangeFilters } from "@/lib/changes/filters";
import { EXPORT_FORMATS, exportHistory } from "@/lib/changes/history-export";
import { readQuery } from "@/lib/edge/query";
import { personRoute } from "@/lib/edge/route";
import { streamOf } from "@/lib/edge/stream";

const TYPES = { csv: "text/csv; charset=utf-8; header=present", json: "application/json" };
const Query = ChangeFilters.extend({ format: z.enum(EXPORT_FORMATS) });

export const GET = personRoute(async (ctx, { url }) => {
  const { format, ...filters } = readQuery(url, Query);
  const day = ctx.now.toISOString().slice(0, 10);
  return new Response(streamOf(exportHistory(ctx, filters, format)), {
    headers: { "content-type": TYPES[format], "cache-control": "no-store", "content-disposition": `attachment; filename="history-${day}.${format}"` },
  });
});
