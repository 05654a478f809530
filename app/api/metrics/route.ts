import { bearsMetricsToken, OPENMETRICS } from "@/lib/edge/operator-token";
import { route } from "@/lib/edge/route";
import { metricsText } from "@/lib/jobs/health";
import { Refusal } from "@/lib/kernel/refusal";

/** This process's metrics, for who bears UNDERSIGNED_METRICS_TOKEN; to anyone else there is nothing here. */
export const GET = route(async ({ request }) => {
  if (!bearsMetricsToken(request.headers.get("authorization"))) throw new Refusal("not_found");
  return new Response(await metricsText(), { headers: { "content-type": OPENMETRICS, "cache-control": "no-store" } });
});
