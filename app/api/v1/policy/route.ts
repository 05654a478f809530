import { otherMethods, readRoute } from "@/lib/edge/route";
import { readPolicyInForce } from "@/lib/guardrails/queries";
import { authorise } from "@/lib/kernel/permit";

export const GET = readRoute(async (ctx) => {
  authorise(ctx, "policy:read");
  return (await readPolicyInForce(ctx.merchantId)).policy;
});

const other = otherMethods("GET, HEAD");

export { other as DELETE, other as PATCH, other as POST, other as PUT };
