import { readChangeShape } from "@/lib/changes/agent-queries";
import { otherMethods, readRoute } from "@/lib/edge/route";

export const GET = readRoute<{ id: string }>((ctx, { params }) => readChangeShape(ctx, params.id));

const other = otherMethods("GET, HEAD");

export { other as DELETE, other as PATCH, other as POST, other as PUT };
