import { z } from "zod";
import { Limit, readQuery } from "@/lib/edge/query";
import { namedSession } from "@/lib/edge/read-session";
import { otherMethods, readRoute } from "@/lib/edge/route";
import { authorise } from "@/lib/kernel/permit";
import { listOrderShapes, pageOfOrders } from "@/lib/platforms/store/orders";

const Query = z.strictObject({ query: z.string().max(200).optional(), cursor: z.string().max(200).optional(), limit: Limit });

export const GET = readRoute(async (ctx, { request, url }) => {
  authorise(ctx, "orders:read");
  const record = await namedSession(ctx, request);
  const { ids, nextCursor } = await pageOfOrders(ctx.merchantId, readQuery(url, Query));
  const items = await listOrderShapes(ctx.merchantId, ids);
  await record(ids, false);
  return { items, nextCursor };
});

const other = otherMethods("GET, HEAD");

export { other as DELETE, other as PATCH, other as POST, other as PUT };
