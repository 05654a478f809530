import { ChangeFilters } from "@/lib/changes/filters";
import { sumHistory } from "@/lib/changes/history";
import { readQuery } from "@/lib/edge/query";
import { personRoute } from "@/lib/edge/route";

export const GET = personRoute((ctx, { url }) => sumHistory(ctx, readQuery(url, ChangeFilters)));
