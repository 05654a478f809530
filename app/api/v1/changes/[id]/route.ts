import { readChangeShape } from "@/lib/changes/agent-queries";
import { readRoute } from "@/lib/edge/route";

export const GET = readRoute<{ id: string }>((ctx, { params }) => readChangeShape(ctx, params.id));
