import type { Rule } from "../rule";
import { withinMoneyCap } from "./money-cap";

/** What one person may put forward by signing in a day of the merchant's time zone, this refund included. */
export const operatorDailyApprovedTotal: Rule = ({ operator_daily_approved_total: caps }, { currency, amountMinor }, { approvedTodayMinor }) =>
  caps && approvedTodayMinor !== null ? withinMoneyCap("operator_daily_approved_total", caps, currency, approvedTodayMinor + amountMinor) : null;
