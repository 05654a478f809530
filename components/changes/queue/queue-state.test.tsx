import { expect, test } from "vitest";
import type { QueuePage, QueueRow } from "@/lib/changes/view";
import { following, neighbour, openQueue, queueReducer, type Queue, type QueueEvent } from "./queue-state";

const row = (id: string, have = 0): QueueRow => ({
  id, state: "staged", orderNumber: id, customer: "C", currency: "GBP", amountMinor: "100", reason: "damaged", headline: "H", moreLines: 0,
  required: 2, have, stagedAt: `2026-11-30T14:00:${id.charCodeAt(0) - 60}Z`, expiresAt: "2026-12-07T14:00:00Z", effectiveAt: null, rejectedBefore: null,
});
const page = (ids: string, nextCursor: string | null = null): QueuePage => ({ items: [...ids].map((id) => row(id)), nextCursor, counts: { waiting: 0, second: 0, attention: 0, scheduled: 0, expired: 0 }, lastDecisionAt: null });
const after = (start: string, ...events: QueueEvent[]): Queue => events.reduce(queueReducer, openQueue(page(start)));
const ids = (rows: readonly QueueRow[]): string => rows.map(({ id }) => id).join("");

test("arrivals wait and move nothing until they are asked for", () => {
  const polled = after("cba", { type: "polled", page: page("edcba") });
  expect(ids(polled.rows)).toBe("cba");
  expect(ids(polled.arrived)).toBe("ed");
  expect(ids(queueReducer(polled, { type: "revealed" }).rows)).toBe("edcba");
});

test("a row decided elsewhere keeps its place until the reader asks", () => {
  const polled = after("cba", { type: "polled", page: page("ca") });
  expect(ids(polled.rows)).toBe("cba");
  expect([...polled.gone]).toEqual(["b"]);
  expect(ids(queueReducer(polled, { type: "revealed" }).rows)).toBe("ca");
});

test("a head of a longer view says nothing about what lies below it", () => {
  const long = queueReducer(after("fed"), { type: "continued", page: page("cba") });
  const polled = queueReducer(long, { type: "polled", page: page("ged", "cursor") });
  expect(ids(polled.rows)).toBe("fedcba");
  expect([...polled.gone]).toEqual(["f"]);
  expect(ids(polled.arrived)).toBe("g");
  const slid = queueReducer(openQueue(page("fe", "cursor")), { type: "polled", page: page("ed", "cursor") });
  expect(ids(slid.arrived)).toBe("");
});

test("two operators on a long view: what the other decided is seen as gone, and what waits arrives, though the head shares no row with the list", () => {
  const polled = queueReducer(openQueue(page("hgf", "cursor")), { type: "polled", page: page("kji", "cursor") });
  expect([...polled.gone]).toEqual([]);
  expect(ids(polled.arrived)).toBe("kji");
  const decided = queueReducer(openQueue(page("hgf", "cursor")), { type: "polled", page: page("edc", "cursor") });
  expect([...decided.gone]).toEqual(["h", "g", "f"]);
});

test("a list decided to its end brings up the older rows that wait", () => {
  const emptied = [{ type: "taken", id: "h" }, { type: "polled", page: page("gf", "cursor") }].reduce<Queue>((queue, event) => queueReducer(queue, event as QueueEvent), openQueue(page("h", "cursor")));
  expect([ids(emptied.rows), ids(emptied.arrived)]).toEqual(["gf", ""]);
});

test("rows are renewed where they stand", () => {
  const polled = queueReducer(openQueue(page("ba")), { type: "polled", page: { ...page("a"), items: [row("b", 1), row("a")] } });
  expect(polled.rows.map(({ have }) => have)).toEqual([1, 0]);
});

test("a decided row is taken out, and does not arrive again while the server still lists it", () => {
  const decided = after("cba", { type: "taken", id: "b" }, { type: "polled", page: page("cba") });
  expect(ids(decided.rows)).toBe("ca");
  expect(ids(decided.arrived)).toBe("");
});

test("a refusal puts the row back where it was", () => {
  expect(ids(after("cba", { type: "taken", id: "b" }, { type: "polled", page: page("cba") }, { type: "returned", id: "b" }).rows)).toBe("cba");
  expect(ids(after("cba", { type: "taken", id: "a" }, { type: "returned", id: "a" }).rows)).toBe("cba");
  expect(ids(after("cba", { type: "taken", id: "b" }, { type: "taken", id: "a" }, { type: "returned", id: "b" }, { type: "returned", id: "a" }).rows)).toBe("cba");
});

test("a settled change that comes back arrives like any other", () => {
  const settled = after("cba", { type: "taken", id: "b" }, { type: "polled", page: page("ca") }, { type: "polled", page: page("cba") });
  expect(ids(settled.arrived)).toBe("b");
});

test("an empty view that fills tells so, and takes the cursor with it", () => {
  const filled = after("", { type: "polled", page: page("ba", "next") });
  expect(ids(filled.arrived)).toBe("ba");
  expect(filled.nextCursor).toBe("next");
});

test("after a decision on one pane the next is the one that followed, not the first", () => {
  expect(following(after("dcba", { type: "taken", id: "c" }), "c")?.id).toBe("b");
  expect(following(after("dcba", { type: "taken", id: "c" }, { type: "polled", page: page("da") }), "c")?.id).toBe("a");
  expect(following(after("dcba"), "c")?.id).toBe("b");
});

test("the next row skips what has gone", () => {
  const { rows } = after("dcba");
  expect(neighbour(rows, new Set(["c"]), "d", 1)?.id).toBe("b");
  expect(neighbour(rows, new Set(), "d", -1)).toBeNull();
  expect(neighbour(rows, new Set(), "a", 1)).toBeNull();
  expect(neighbour(rows, new Set(["d"]), null, 1)?.id).toBe("c");
});
