import { pino, type DestinationStream, type Logger } from "pino";
import { sqlState } from "../database/transactions";

const LONGEST = 2000;
/** What a message may quote although nobody may read it: e-mails, keys, passwords in URLs, tokens, the values PostgreSQL names. */
const SECRETS: readonly [RegExp, string][] = [
  [/\busk_[\w-]+/g, "usk_…"],
  [/(\w+:\/\/)[^\s/@]+@/g, "$1…@"],
  [/[^\s"'(<=]+@[^\s"')>]+/g, "…@…"],
  [/\)=\(.*?\)(?= |$)/gm, ")=(…)"],
  [/[\w-]{32,}/g, "…"],
];

/** JSON lines on standard output, from LOG_LEVEL on (`info`; in tests none). Of an error it tells its kind and its place, never what it carries. */
export const logger = (name: string, to?: DestinationStream): Logger =>
  pino({ name, level: process.env.LOG_LEVEL ?? (process.env.VITEST ? "silent" : "info"), base: { pid: process.pid }, serializers: { err: tellError } }, to);

function tellError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: scrubbed(String(error)) };
  // Prisma quotes a query's arguments before its last line.
  const message = error.name.startsWith("PrismaClient") ? error.message.trim().split("\n").at(-1)! : error.message;
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)).slice(0, 8).map((line) => line.trim());
  return { type: error.name, sqlState: sqlState(error), message: scrubbed(message), stack: frames };
}

const scrubbed = (text: string): string => SECRETS.reduce((rest, [secret, shown]) => rest.replace(secret, shown), text).slice(0, LONGEST);
