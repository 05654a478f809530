import { pino, type DestinationStream, type Logger } from "pino";
import { sqlState } from "../database/transactions";
import { requestIdOrNone } from "./request-notes";

const LONGEST = 2000;
/** What a message may quote although nobody may read it: keys, e-mails and logins in URLs, the values PostgreSQL names, tokens. */
const SECRETS: readonly [RegExp, string][] = [
  [/\busk_[\w-]+/g, "usk_…"],
  [/[^\s"'(<=]+@[^\s"')>]+/g, "…@…"],
  [/\)=\(.*?\)(?= |$)/gm, ")=(…)"],
  [/[\w-]{32,}/g, "…"],
];

/** JSON lines on standard output, from LOG_LEVEL on (`info`; in tests none). Of an error it tells its kind and its place, never what it carries. */
export const logger = (name: string, to?: DestinationStream): Logger =>
  pino({ name, level: process.env.LOG_LEVEL ?? (process.env.VITEST ? "silent" : "info"), base: { pid: process.pid }, serializers: { err: tellError } }, to);

/** What Next and other libraries print joins the log, as inert as everything in it. */
export function takeOverConsole(log: Logger): void {
  for (const [said, level] of [["log", "info"], ["info", "info"], ["warn", "warn"], ["error", "error"]] as const) {
    console[said] = (...parts: unknown[]) => {
      const error = parts.find((part) => part instanceof Error);
      const words = parts.filter((part) => typeof part === "string").join(" ").trim();
      log[level]({ ...(error && { err: error }), requestId: requestIdOrNone() }, scrubbed(words) || "said");
    };
  }
}

function tellError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: scrubbed(String(error)) };
  // Prisma quotes a query's arguments before its last line.
  const message = error.name.startsWith("PrismaClient") ? error.message.trim().split("\n").at(-1)! : error.message;
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)).slice(0, 8).map((line) => line.trim());
  return { type: error.name, sqlState: sqlState(error), digest: digestOf(error), message: scrubbed(message), stack: frames };
}

/** What Next shows in the place of a failed page, in the browser too. */
const digestOf = (error: Error): string | undefined => ("digest" in error && /^[\w;@.-]{1,64}$/.test(String(error.digest)) ? String(error.digest) : undefined);

const scrubbed = (text: string): string => SECRETS.reduce((rest, [secret, shown]) => rest.replace(secret, shown), text).slice(0, LONGEST);
