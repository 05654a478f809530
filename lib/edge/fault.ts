import { count } from "../kernel/metrics";
import { outageOf, type Outage } from "../database/outage";
import { sqlState } from "../database/transactions";
import { logger } from "./log";

const log = logger("web");

/** An unexpected failure: counted, and logged under its request's id. Which outage of the database it tells of, if any, is all that goes further. */
export function tellFault(error: unknown, requestId: string): Outage | null {
  count("undersigned_faults", { sqlstate: sqlState(error) ?? "none" });
  log.error({ err: error, requestId }, "a request failed");
  return outageOf(error);
}
