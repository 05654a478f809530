import type { Rule } from "../rule";
import { requiredApprovals } from "./refund-approvals";

/** A change that too few persons could ever approve is refused at once: the cap is those who may, the actual those it needs. */
export const eligibleApprovers: Rule = (rules, { currency }, { eligible, orderTotalMinor }) => {
  if (eligible === null) return null;
  const required = requiredApprovals(rules, currency, orderTotalMinor);
  return { rule: "eligible_approvers", path: "", cap: String(eligible), actual: String(required), ok: required <= eligible };
};
