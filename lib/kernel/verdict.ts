/** One rule as it was judged: cap and actual are strings, amounts in minor units. */
export type RuleResult = { rule: string; cap: string; actual: string; ok: boolean };

export type Verdict = {
  outcome: "allow" | "needs_approvals" | "refuse";
  /** How many persons must approve. */
  required: number;
  /** The policy version that judged. */
  policy: number;
  rules: RuleResult[];
};

export type Violation = { rule: string; path: string; cap: string; actual: string };
