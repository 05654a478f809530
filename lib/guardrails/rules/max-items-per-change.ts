import type { Rule } from "../rule";

export const maxItemsPerChange: Rule = (rules, change) => ({
  rule: "max_items_per_change",
  path: "/lines",
  cap: String(rules.max_items_per_change),
  actual: String(change.items),
  ok: change.items <= rules.max_items_per_change,
});
