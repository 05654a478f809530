import { amount, currency, figure, hex, id, instant, token, word } from "./forms";
import { integer, list, object, oneOf, optional, plainObject, type Shape, type ShapeOf } from "./shape";

/** DESIGN's kinds of change. */
export const CHANGE_KINDS = ["refund", "price_update", "inventory_action", "listing_update", "promotion", "campaign", "order"] as const;

const empty = object({});
const member = object({ person: id("per"), profileDigest: optional(hex), role: oneOf("admin", "operator", "auditor") });
const key = object({ agent: id("agt"), by: id("per"), expiresAt: instant, owner: id("per"), scopes: list(word) });
const pause = object({ reasonDigest: optional(hex) });
const agent = object({ nameDigest: hex });
const approval = object({ commentDigest: optional(hex), factsDigest: hex, have: integer(1), policy: integer(1), required: integer(1) });
const staged = object({
  agent: optional(id("agt")), by: optional(id("per")), captured: optional(amount), currency: optional(currency), excludes: list(id("per")),
  key: optional(id("key")), kind: oneOf(...CHANGE_KINDS), payment: optional(id("pay")), policy: integer(1), required: integer(1),
  session: optional(id("ses")), supersedes: optional(id("chg")), total: optional(amount),
});

type Staged = ShapeOf<typeof staged>;
const REFUND_NEEDS = ["captured", "currency", "payment", "total"] as const;

const stagedInFull: Shape<Staged> = {
  ...staged,
  fault: (value) => staged.fault(value) ?? stagedInFull.also!(value as Staged),
  also(data) {
    if (data.excludes.some((person, at) => at > 0 && person <= data.excludes[at - 1]!)) return "excludes is not sorted";
    const missing = data.kind === "refund" && REFUND_NEEDS.find((name) => data[name] === undefined);
    return missing ? `lacks ${missing}, which a refund has` : null;
  },
};

const change = id("chg");
const about = <T, const M extends boolean>(subject: Shape<string>, moves: M, data: Shape<T>) => ({ subject, moves, data });

/** Every type of entry: what its subject may be, whether it moves a change (then it has `revision` and `digest`), and its `data`. */
export const ENTRY_TYPES = {
  "log.opened": about(id("mer"), false, object({ format: oneOf("undersigned-log/1") })),
  "policy.published": about(id("mer"), false, object({ rules: plainObject, version: integer(1) })),
  "policy.proposed": about(id("mer"), false, object({ base: integer(1), rules: plainObject })),
  "policy.declined": about(id("mer"), false, object({ base: integer(1) })),
  "merchant.paused": about(id("mer"), false, pause),
  "merchant.resumed": about(id("mer"), false, pause),
  "member.added": about(id("mem"), false, member),
  "member.changed": about(id("mem"), false, member),
  "member.removed": about(id("mem"), false, member),
  "member.link_made": about(id("mem"), false, object({ expiresAt: instant, link: hex, person: id("per") })),
  "member.link_used": about(id("mem"), false, object({ link: hex, person: id("per") })),
  "agent.created": about(id("agt"), false, agent),
  "agent.changed": about(id("agt"), false, agent),
  "key.created": about(id("key"), false, key),
  "key.rotated": about(id("key"), false, key),
  "key.revoked": about(id("key"), false, key),
  "change.staged": about(change, true, stagedInFull),
  "change.endorsed": about(change, true, approval),
  "change.approved": about(change, true, approval),
  "change.retracted": about(change, true, empty),
  "change.withdrawn": about(change, true, empty),
  "change.rejected": about(change, true, object({ code: word, reasonDigest: hex })),
  "change.expired": about(change, true, empty),
  "change.scheduled": about(change, true, object({ at: optional(instant) })),
  "change.applying": about(change, true, object({ attempt: token, policy: integer(1) })),
  "change.applied": about(change, true, object({ attempt: token, references: list(token) })),
  "change.failed": about(change, true, object({
    actual: optional(figure), attempt: optional(token), cap: optional(figure), cause: word, done: optional(integer(0)), rule: optional(word),
  })),
  "change.refused": about(id("chg", "ses", "agt", "per", "mer"), false, object({
    actual: optional(figure), cap: optional(figure), code: word, count: optional(integer(1)), rule: optional(word), verb: word,
  })),
  "content.erased": about(change, false, object({ digest: hex })),
} as const;

export type EntryType = keyof typeof ENTRY_TYPES;
export type EntryData = { [T in EntryType]: ShapeOf<(typeof ENTRY_TYPES)[T]["data"]> };
/** The types that move a change. */
export type MoveType = { [T in EntryType]: (typeof ENTRY_TYPES)[T]["moves"] extends true ? T : never }[EntryType];

const TYPES: ReadonlySet<string> = new Set(Object.keys(ENTRY_TYPES));
export const isEntryType = (type: string): type is EntryType => TYPES.has(type);
