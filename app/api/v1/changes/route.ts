import { z } from "zod";
import { listChangeShapes } from "@/lib/changes/agent-queries";
import { CHANGE_STATES } from "@/lib/changes/lifecycle";
import { RefundInput } from "@/lib/changes/refund-input";
import { judgeRefund, stageRefund } from "@/lib/changes/stage";
import { agentWrite } from "@/lib/edge/agent-write";
import { Limit, readQuery } from "@/lib/edge/query";
import { otherMethods, readRoute } from "@/lib/edge/route";

const Query = z.strictObject({
  state: z.enum(CHANGE_STATES).optional(), kind: z.literal("refund").optional(), cursor: z.string().regex(/^\d{1,18}$/).optional(), limit: Limit,
});

export const GET = readRoute((ctx, { url }) => listChangeShapes(ctx, readQuery(url, Query)));

export const POST = agentWrite({ verb: "stage", permission: "change:stage", schema: RefundInput, idempotent: true }, async ({ ctx, sessionId, input, request }) =>
  request === null
    ? { status: 200, body: JSON.stringify({ verdict: await judgeRefund(ctx, sessionId, input) }) }
    : stageRefund(ctx, sessionId, request, input),
);

const other = otherMethods("GET, HEAD, POST");

export { other as DELETE, other as PATCH, other as PUT };
