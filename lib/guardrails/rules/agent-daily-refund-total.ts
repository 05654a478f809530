import type { Rule } from "../rule";
import { withinMoneyCap } from "./money-cap";

/** What an agent may propose in a day of the merchant's time zone, this refund included, whatever becomes of it. */
export const agentDailyRefundTotal: Rule = ({ agent_daily_refund_total: caps }, { currency, amountMinor }, { velocity }) =>
  caps && velocity ? withinMoneyCap("agent_daily_refund_total", caps, currency, velocity.refundMinor + amountMinor) : null;
