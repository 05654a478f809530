import { readOrder } from "@/lib/changes/order-view";
import { personRoute } from "@/lib/edge/route";

export const GET = personRoute<{ id: string }>((ctx, { params }) => readOrder(ctx, params.id));
