import { sqlState } from "./transactions";

export type Outage = "disk_full" | "busy" | "unreachable";

const STATES: Record<string, Outage> = {
  "53100": "disk_full",
  "53200": "busy", "53300": "busy", "55P03": "busy", P2024: "busy", P2028: "busy",
  "57P01": "unreachable", "57P02": "unreachable", "57P03": "unreachable", P1001: "unreachable", P1017: "unreachable",
  ECONNREFUSED: "unreachable", ECONNRESET: "unreachable", EPIPE: "unreachable", ETIMEDOUT: "unreachable", ENOTFOUND: "unreachable",
};
/** What pg and Prisma say without a code. */
const BUSY = /timeout exceeded when trying to connect/i;
const UNREACHABLE = /connection terminated|connection ended|server closed the connection|not queryable|can't reach database|databasenotreachable|connectionclosed/i;

/** Which outage of the database a failure tells of, or null where it is something else. */
export function outageOf(error: unknown): Outage | null {
  const state = sqlState(error);
  if (state && STATES[state]) return STATES[state];
  if (state?.startsWith("08")) return "unreachable";
  const { message = "", cause } = error as { message?: string; cause?: { kind?: string } };
  const told = `${message} ${cause?.kind ?? ""}`;
  return BUSY.test(told) ? "busy" : UNREACHABLE.test(told) ? "unreachable" : null;
}
