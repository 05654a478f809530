import { json, route } from "@/lib/edge/route";
import { readiness } from "@/lib/jobs/health";

/** Whether to send requests here: database and migrations. A worker that stands still is told, and is no reason to send nobody. */
export const GET = route(async () => {
  const ready = await readiness();
  return json(ready.database && ready.migrations ? 200 : 503, JSON.stringify(ready));
});
