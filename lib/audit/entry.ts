import { canonicalJson, type Json } from "../kernel/canonical-json";
import { ENTRY_TYPES, isEntryType, type EntryData, type EntryType, type MoveType } from "./entry-types";
import { hex, id, instant } from "./forms";
import { integer, object, oneOf, optional, plainObject, text, type Shape, type ShapeOf } from "./shape";

const MAX_ENTRY_BYTES = 60_000;

const ACTORS = {
  person: object({ id: id("per"), kind: oneOf("person") }),
  agent: object({ for: id("per"), id: id("agt"), kind: oneOf("agent") }),
  system: object({ id: oneOf("worker", "setup"), kind: oneOf("system") }),
};
export type Actor = { [K in keyof typeof ACTORS]: ShapeOf<(typeof ACTORS)[K]> }[keyof typeof ACTORS];
const actor: Shape<Actor> = {
  fault(value) {
    const kind = (value as Actor | null)?.kind;
    return kind !== undefined && Object.hasOwn(ACTORS, kind) ? ACTORS[kind].fault(value) : "is not a person, an agent or the system";
  },
};

/** Judged by type. */
const anything: Shape<unknown> = { fault: () => null };
const envelope = object({
  actor, at: instant, data: anything, digest: optional(hex),
  log: text(/^undersigned\/mer-[A-Za-z0-9_-]{10}$/, "a log's id"),
  prev: hex, revision: optional(integer(1)), seq: integer(0),
  subject: text(/^[A-Za-z0-9_.:-]{1,128}$/, "an id"), type: text(/^[a-z]+\.[a-z_]+$/, "a type"), v: oneOf(1),
});
type Envelope = ShapeOf<typeof envelope>;

type OfType<T extends EntryType> = Omit<Envelope, "type" | "data" | "revision" | "digest">
  & { type: T; data: EntryData[T] } & (T extends MoveType ? { revision: number; digest: string } : object);
/** An entry of a known type, by its type. */
export type Entry<T extends EntryType = EntryType> = { [K in T]: OfType<K> }[T];

/** What the chain needs, as far as it can be read out of an entry that is otherwise not well-formed. */
export type Link = { seq: number; at: string; log: string; prev: string };

/** `entry` is null where it cannot be understood, and for an unknown type, which is then named. `fault` is why it is not canonical. */
export type Reading = { entry: Entry | null; link: Link | null; unknownType: string | null; fault: string | null };

/** Strict reading of stored bytes: only what section 7 allows, in the one form that it allows, has no fault. */
export function readEntry(bytes: string): Reading {
  const value = parse(bytes);
  if (value === undefined) return { entry: null, link: null, unknownType: null, fault: "is not JSON" };
  const fault = formFault(bytes, value) ?? entryFault(value);
  if (fault === null) return understood(value as Envelope, null);
  // An entry whose members were only re-ordered or re-spelt is still followed through the lifecycle.
  const respelt = parse(canonicalOr(bytes, value));
  return entryFault(respelt) === null ? understood(respelt as Envelope, fault) : { entry: null, link: linkOf(value), unknownType: null, fault };
}

const understood = (value: Envelope, fault: string | null): Reading => isEntryType(value.type)
  ? { entry: value as Entry, link: value, unknownType: null, fault }
  : { entry: null, link: value, unknownType: value.type, fault };

function entryFault(value: unknown): string | null {
  const fault = envelope.fault(value);
  if (fault) return fault;
  const entry = value as Envelope;
  if ((entry.revision === undefined) !== (entry.digest === undefined)) return "has one of revision and digest without the other";
  if (!isEntryType(entry.type)) return under("data", plainObject.fault(entry.data));
  const { subject, moves, data } = ENTRY_TYPES[entry.type];
  if (moves !== (entry.revision !== undefined)) return moves ? "lacks revision" : "has a revision, though it moves no change";
  const wrong = under("subject", subject.fault(entry.subject)) ?? under("data", data.fault(entry.data));
  if (wrong) return wrong;
  return entry.subject.startsWith("mer-") && entry.log !== `undersigned/${entry.subject}` ? "subject is another merchant" : null;
}

const under = (name: string, fault: string | null): string | null => fault && `${name} ${fault}`;

/** JCS by its cheap test: the shapes hold the members in order, so what prints as it was read is canonical. */
function formFault(bytes: string, value: unknown): string | null {
  if (bytes.length * 3 > MAX_ENTRY_BYTES && new TextEncoder().encode(bytes).length > MAX_ENTRY_BYTES) return `is over ${MAX_ENTRY_BYTES} bytes`;
  if (stringify(value) !== bytes) return "is not in canonical form";
  return bytes.includes("\\ud") && canonicalOr("", value) === "" ? "has a lone surrogate" : null;
}

const parse = (bytes: string): unknown => attempt(() => JSON.parse(bytes), undefined);
/** undefined where the nesting is too deep to print. */
const stringify = (value: unknown): string | undefined => attempt(() => JSON.stringify(value), undefined);
const canonicalOr = (otherwise: string, value: unknown): string => attempt(() => canonicalJson(value as Json), otherwise);

function attempt<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

function linkOf(value: unknown): Link | null {
  const { seq, at, log, prev } = (value ?? {}) as Partial<Link>;
  return Number.isSafeInteger(seq) && typeof at === "string" && typeof log === "string" && typeof prev === "string"
    ? { seq: seq!, at, log, prev } : null;
}
