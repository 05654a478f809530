import { readBody } from "@/lib/edge/body";
import { keepSignIn } from "@/lib/edge/keep-sign-in";
import { personRoute } from "@/lib/edge/route";
import { SwitchInput, switchMerchant } from "@/lib/identity/places";
import { Refusal } from "@/lib/kernel/refusal";

/** Changes to another merchant of the same person. A route and no action: the page on screen must not be drawn again before it is left. */
export const PUT = personRoute(async (ctx, { request }) => {
  const wanted = SwitchInput.safeParse(await readBody(request));
  if (!wanted.success) throw new Refusal("invalid_input");
  await keepSignIn(await switchMerchant(ctx, wanted.data));
  return {};
});
