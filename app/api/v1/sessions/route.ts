import { agentCaller, json, otherMethods, rateHeaders, route } from "@/lib/edge/route";
import { openSession } from "@/lib/sessions/open";

export const POST = route(async ({ request, requestId }) => {
  const { ctx, rate } = await agentCaller({ request, requestId });
  const { id, expiresAt } = await openSession(ctx);
  return json(201, JSON.stringify({ id, expiresAt: expiresAt.toISOString() }), rateHeaders(rate));
});

const other = otherMethods("POST");

export { other as DELETE, other as GET, other as PATCH, other as PUT };
