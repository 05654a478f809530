import { json, route } from "@/lib/edge/route";
import { databaseAnswers } from "@/lib/jobs/health";

/** Ready: this process answers, and its database too. */
export const GET = route(async () => {
  const database = await databaseAnswers();
  return json(database ? 200 : 503, JSON.stringify({ database }));
});
