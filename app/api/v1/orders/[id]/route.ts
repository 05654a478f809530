import { namedSession } from "@/lib/edge/read-session";
import { otherMethods, readRoute } from "@/lib/edge/route";
import { authorise } from "@/lib/kernel/permit";
import { Refusal } from "@/lib/kernel/refusal";
import { readOrderShape } from "@/lib/platforms/store/orders";

export const GET = readRoute<{ id: string }>(async (ctx, { request, params }) => {
  authorise(ctx, "orders:read");
  const record = await namedSession(ctx, request);
  const order = await readOrderShape(ctx.merchantId, params.id);
  if (!order) throw new Refusal("not_found");
  await record([order.id], true);
  return order;
});

const other = otherMethods("GET, HEAD");

export { other as DELETE, other as PATCH, other as POST, other as PUT };
