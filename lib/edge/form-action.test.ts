import { redirect } from "next/navigation";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { Refusal } from "../kernel/refusal";
import { publicAction, quietAction } from "./form-action";
import type * as Log from "./log";
import { withNotes } from "./request-notes";

const lines: string[] = [];
vi.mock("./log", async (original) => {
  const real = await original<typeof Log>();
  const logger = (name: string) => {
    const log = real.logger(name, { write: (line: string) => void lines.push(line) });
    log.level = "info";
    return log;
  };
  return { ...real, logger };
});
vi.mock("./request-context", () => ({ currentCaller: async () => ({}) }));
afterEach(() => { lines.length = 0; });

const requestId = "7f6c0b1e-0000-4000-8000-000000000001";
const Input = z.strictObject({ password: z.string() });
const submit = (verb: () => Promise<unknown>) => {
  const form = new FormData();
  form.set("password", "what was typed");
  return withNotes({ requestId }, () => publicAction(Input, verb)({ status: "idle" }, form));
};
const broken = (more: object = {}) => async () => { throw Object.assign(new Error("insert failed for maya@shop.example with usk_0123456789"), more); };

test("a fault is a calm answer with its reference and nothing else of it; the log has it under the same id, without secrets", async () => {
  const answer = await submit(broken());
  expect(answer).toEqual({
    status: "refused", code: "unavailable", reference: requestId, fields: {}, moved: [],
    message: `Something failed on our side. What you entered is still here; look whether it was done before you send it again. Reference ${requestId}`,
  });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, requestId, msg: "a request failed", err: { message: "insert failed for …@… with usk_…" } }]);
  expect(lines.join()).not.toMatch(/maya@|usk_0|what was typed/);
});

test.each([["53100", "The database's disk is full."], ["55P03", "The database is busy."], ["57P01", "The database does not answer."]])("an outage of the database is named: %s", async (code, said) => {
  expect(await submit(broken({ code }))).toMatchObject({ code: "unavailable", message: expect.stringContaining(said) });
});

test("a refusal is none: no reference, no line; a redirect goes its way", async () => {
  expect(await submit(async () => { throw new Refusal("last_admin"); })).toEqual({ status: "refused", code: "last_admin", message: "A merchant keeps at least one admin", fields: {}, moved: [] });
  await expect(submit(async () => redirect("/changes"))).rejects.toMatchObject({ digest: expect.stringContaining("NEXT_REDIRECT") });
  expect(lines).toEqual([]);
});

test("what a page asks for by itself fails for nobody to see, and into the log", async () => {
  await withNotes({ requestId }, () => quietAction(broken())());
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ requestId, msg: "a request failed" }]);
});
