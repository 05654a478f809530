import { personRoute } from "@/lib/edge/route";
import { readStanding } from "@/lib/guardrails/standing";

export const GET = personRoute((ctx) => readStanding(ctx));
