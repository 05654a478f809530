import { expect, test } from "vitest";
import { ChangeStory, ONE, OPENING, person, seal, TWO, type Draft } from "../testing/log-builder";
import { signedBundle } from "../testing/signed-log";
import { sha256 } from "./sha256";
import { verify } from "./verify";

// What an approver lowered, where the contents show what was proposed and what is left.

const item = { target: "lin-Line000001", field: "refunded", before: "0", after: "1250", quantity: 2, restock: "none" };
const shipping = { target: "ord-Order00001", field: "shipping", before: "0", after: "350" };
const PROPOSED = { total: "1600" };

/** Findings where ONE lowered a refund of two units and shipping to this, at entry 10, and approved it at entry 11, or who else did. */
async function found(told: Draft["data"], { total = "1000", by = ONE, shown = true } = {}): Promise<string[]> {
  const old = new ChangeStory("chg-Change0000", PROPOSED, undefined, { items: [item, shipping] });
  const it = new ChangeStory("chg-Change0001", { supersedes: old.id, by: ONE, total }, undefined, told);
  const entries = seal([...OPENING, old.staged(), old.step("withdrawn", person(ONE)), it.staged(), it.approved(by)]);
  const file = await signedBundle(entries, { contents: shown ? [old.content, it.content] : [] });
  return (await verify([file.split("\n").slice(0, -1)], sha256)).findings.map(({ kind, place }) => `${kind} @ ${place}`);
}
const left = (wrong: Draft["data"] = {}): Draft["data"] => ({ ...item, after: "1000", quantity: 1, ...wrong });

test("less of what was proposed is a trim, on whatever was taken by then", async () => {
  expect(await found({ items: [left()] })).toEqual([]);
  expect(await found({ items: [left({ before: "500", after: "1500" })] })).toEqual([]);
  expect(await found({ items: [left({ after: "650" }), shipping] })).toEqual([]);
});

test.each<[string, Draft["data"]]>([
  ["another line", { items: [left({ target: "lin-Line000002" })] }],
  ["a line twice", { items: [left({ after: "500" }), left({ after: "500" })] }],
  ["shipping that was not", { items: [left({ after: "600" }), { ...shipping, after: "400" }] }],
  ["more units", { items: [left({ quantity: 3 })] }],
  ["an amount in place of units", { items: [left({ quantity: null })] }],
  ["another restock", { items: [left({ restock: "returned" })] }],
  ["another order", { items: [left()], order: "ord-Order00002" }],
])("self_approval: %s makes its maker the stager", async (_, told) => {
  expect(await found(told)).toEqual(["self_approval @ entry 11"]);
  expect(await found(told, { by: TWO })).toEqual([]);
  expect(await found(told, { shown: false })).toEqual([]);
});

test("self_approval: another currency makes its maker the stager", async () => {
  const old = new ChangeStory("chg-Change0000");
  const it = new ChangeStory("chg-Change0001", { supersedes: old.id, by: ONE, total: "1000", currency: "KWD" });
  const entries = seal([...OPENING, old.staged(), old.step("withdrawn", person(ONE)), it.staged(), it.approved(ONE)]);
  const file = await signedBundle(entries, { contents: [old.content, it.content] });
  expect((await verify([file.split("\n").slice(0, -1)], sha256)).findings).toMatchObject([{ kind: "self_approval", place: "entry 11" }]);
});
