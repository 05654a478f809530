import { readChange } from "@/lib/changes/queries";
import { personRoute } from "@/lib/edge/route";

export const GET = personRoute<{ id: string }>((ctx, { params }) => readChange(ctx, params.id));
