import { afterEach, expect, test, vi } from "vitest";
import { logger, takeOverConsole } from "./log";
import { withNotes } from "./request-notes";

const lines: string[] = [];
const log = logger("test", { write: (line: string) => void lines.push(line) });
log.level = "info";
const [before] = [{ ...console }];
afterEach(() => { Object.assign(console, before); lines.length = 0; vi.unstubAllEnvs(); });

test.each([
  ['duplicate key: Key (email)=(maya@shop.example) already exists.', "duplicate key: Key (email)=(…) already exists."],
  ["no answer from postgresql://app:hunter2@db.example/x", "no answer from …@…"],
  [`key usk_${"a".repeat(43)} and token ${"b".repeat(43)}`, "key usk_… and token …"],
])("%j loses what nobody may read", (message, told) => {
  log.error({ err: new Error(message) }, "failed");
  expect(JSON.parse(lines[0]!).err).toMatchObject({ type: "Error", message: told });
});

test("of Prisma's failures the arguments of the query are not told", () => {
  const error = Object.assign(new Error('\nInvalid `db.person.create()` invocation:\n{ data: { name: "Maya", email: "maya@shop.example" } }\nUnique constraint failed'), { name: "PrismaClientKnownRequestError", code: "P2002" });
  log.error({ err: error }, "failed");
  expect(JSON.parse(lines[0]!).err).toMatchObject({ message: "Unique constraint failed", sqlState: "P2002" });
  expect(lines[0]).not.toContain("Maya");
});

test("what libraries print is a line like any other", () => {
  takeOverConsole(log);
  console.error(" ⨯ failed for maya@shop.example", new Error("select on usk_0123"));
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 50, msg: "⨯ failed for …@…", err: { message: "select on usk_…" } });
  const failed = Object.assign(new Error("a page"), { digest: "2338127134" });
  withNotes({ requestId: "the-request" }, () => console.error(failed));
  expect(JSON.parse(lines[1]!)).toMatchObject({ requestId: "the-request", err: { digest: "2338127134" } }); // what the page shows leads to it
});
