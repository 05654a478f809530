import { readCanonical } from "./canonical";
import { own, type Entry } from "./entry";
import { CHANGE_KINDS } from "./entry-types";
import { amount, currency, id, instant, salt, word } from "./forms";
import type { Sha256 } from "./leaf";
import { anyText, integer, list, nullable, object, oneOf, optional, type ShapeOf } from "./shape";

const item = object({
  after: anyText, before: nullable(anyText), field: word, quantity: optional(nullable(integer(1))),
  restock: optional(nullable(oneOf("none", "returned", "cancelled"))), target: id("lin", "ord", "pay", "lst", "prm", "cmp"),
});

/** The content of a change: every member present. */
const content = object({
  agent: nullable(id("agt")), currency: nullable(currency), evidence: list(object({ label: anyText, text: anyText }), 10), expiresAt: instant,
  id: id("chg"), items: list(item), kind: oneOf(...CHANGE_KINDS), log: anyText, note: nullable(anyText), order: nullable(id("ord")),
  policy: integer(1), reason: nullable(anyText), salt, session: nullable(id("ses")), stagedAt: instant, summary: anyText,
  supersedes: nullable(id("chg")), total: nullable(amount), v: oneOf(1),
});
export type Content = ShapeOf<typeof content>;

/** What an entry and the content it stands for both say, as one text. */
type Shared = Pick<Content, "agent" | "currency" | "id" | "kind" | "log" | "policy" | "session" | "supersedes" | "total">;
const sharedText = (s: Shared): string => JSON.stringify([s.id, s.log, s.kind, s.policy, s.currency, s.total, s.agent, s.session, s.supersedes]);

/** What a change's staging lets one expect of its content. Every change of a log has one, so it is small. */
export type Expected = { digest: string; shared: string };
export function expectedContent({ subject, log, digest, data }: Entry<"change.staged">): Expected {
  const { agent = null, currency: money = null, kind, policy, session = null, supersedes = null, total = null } = data;
  return { digest: own(digest), shared: sharedText({ id: subject, log, kind, policy, currency: money, total, agent, session, supersedes }) };
}

/** Why these bytes are not the content that was staged, or null. */
export function contentFault(bytes: string, expected: Expected, sha256: Sha256): string | null {
  const digest = sha256(bytes);
  if (digest !== expected.digest) return `hashes to ${digest}, it was staged as ${expected.digest}`;
  const read = readCanonical(bytes);
  const fault = read.fault ?? content.fault(read.value);
  if (fault) return fault;
  const value = read.value as Content;
  if (sharedText(value) !== expected.shared) return `says ${sharedText(value)}, its entry says ${expected.shared}`;
  return value.kind === "refund" ? refundFault(value) : null;
}

/** The change that content bytes claim to be of. */
export function contentId(bytes: string): string | null {
  const { value } = readCanonical(bytes);
  const claimed = (value as { id?: unknown } | null)?.id;
  return typeof claimed === "string" ? claimed : null;
}

function refundFault({ items, total }: Content): string | null {
  let sum = 0n;
  for (const { before, after, field } of items) {
    const fault = amount.fault(before) ?? amount.fault(after);
    if (fault || (field !== "refunded" && field !== "shipping")) return `has an item that is not a refund's: ${fault ?? field}`;
    if (BigInt(after) < BigInt(before!)) return `has an item that takes back what was refunded: ${before} to ${after}`;
    sum += BigInt(after) - BigInt(before!);
  }
  return sum.toString() === total ? null : `its items sum to ${sum}, its total is ${total}`;
}
