import { z } from "zod";
import { listOrders } from "@/lib/changes/order-view";
import { readQuery } from "@/lib/edge/query";
import { personRoute } from "@/lib/edge/route";

const Query = z.strictObject({ query: z.string().max(200).optional(), cursor: z.string().max(200).optional() });

export const GET = personRoute((ctx, { url }) => listOrders(ctx, readQuery(url, Query)));
