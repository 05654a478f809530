import type { Ctx } from "../kernel/context";
import { authorise } from "../kernel/permit";
import { tenant } from "../database/client";
import type { HttpAccount } from "./http/http";

/** Lets a merchant's changes be written on a platform of its own. For setup: before the first change is staged. */
export async function connectPlatform(ctx: Ctx, { url, secret }: HttpAccount): Promise<void> {
  authorise(ctx, "merchant:govern");
  await tenant(ctx.merchantId).platformAccount.create({ data: { merchantId: ctx.merchantId, platform: "http", url, secret } });
}
