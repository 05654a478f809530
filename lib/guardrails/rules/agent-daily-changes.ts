import type { Rule } from "../rule";

/** How many changes an agent may propose in a day of the merchant's time zone, this one included. */
export const agentDailyChanges: Rule = ({ agent_daily_changes: cap }, _change, { velocity }) => {
  if (cap === undefined || !velocity) return null;
  const actual = velocity.changes + 1;
  return { rule: "agent_daily_changes", path: "", cap: String(cap), actual: String(actual), ok: actual <= cap };
};
