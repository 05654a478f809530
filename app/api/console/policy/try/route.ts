import { readBody } from "@/lib/edge/body";
import { personRoute } from "@/lib/edge/route";
import { Refusal } from "@/lib/kernel/refusal";
import { TryInput, tryPolicy } from "@/lib/changes/try-policy";

/** A read, sent as POST because a policy does not fit into a query. */
export const POST = personRoute(async (ctx, { request }) => {
  const wanted = TryInput.safeParse(await readBody(request));
  if (!wanted.success) throw new Refusal("invalid_input");
  return tryPolicy(ctx, wanted.data);
});
