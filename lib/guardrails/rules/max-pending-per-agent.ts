import type { Rule } from "../rule";

/** How many of an agent's changes may wait for a decision at once, this one included. */
export const maxPendingPerAgent: Rule = ({ max_pending_per_agent: cap }, _change, { velocity }) => {
  if (cap === undefined || !velocity) return null;
  const actual = velocity.pending + 1;
  return { rule: "max_pending_per_agent", path: "", cap: String(cap), actual: String(actual), ok: actual <= cap };
};
