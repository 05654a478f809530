import { createHash, timingSafeEqual } from "node:crypto";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Whether a request bears the token of UNDERSIGNED_METRICS_TOKEN; never where none is set. */
export function bearsMetricsToken(authorization: string | null | undefined): boolean {
  const token = process.env.UNDERSIGNED_METRICS_TOKEN;
  return Boolean(token) && timingSafeEqual(digest(authorization ?? ""), digest(`Bearer ${token}`));
}

export const OPENMETRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";
