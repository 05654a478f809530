import { z } from "zod";
import { readChangeShape } from "@/lib/changes/agent-queries";
import { withdrawOwn } from "@/lib/changes/withdraw";
import { agentWrite } from "@/lib/edge/agent-write";
import { otherMethods } from "@/lib/edge/route";

const Nothing = z.strictObject({});

export const POST = agentWrite<typeof Nothing, { id: string }>({ verb: "withdraw", permission: "change:withdraw", schema: Nothing, idempotent: false }, async ({ ctx, sessionId, params }) => {
  await withdrawOwn(ctx, sessionId, params.id);
  return { status: 200, body: JSON.stringify(await readChangeShape(ctx, params.id)) };
});

const other = otherMethods("POST");

export { other as DELETE, other as GET, other as PATCH, other as PUT };
