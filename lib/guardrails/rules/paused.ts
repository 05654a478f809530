import type { Rule } from "../rule";

/** The kill switch of the log's head: said only where it is thrown. */
export const paused: Rule = (_rules, _change, facts) =>
  facts.paused ? { rule: "paused", path: "", cap: "0", actual: "1", ok: false } : null;
