import { canonicalJson, type Json } from "../kernel/canonical-json";
import { ENTRY_TYPES, isEntryType, type EntryData, type EntryType, type MoveType } from "./entry-types";
import { hex, id, instant, logId } from "./forms";
import { ascii, integer, object, oneOf, optional, plainObject, type Shape, type ShapeOf } from "./shape";

const MAX_ENTRY_BYTES = 60_000;

const ACTORS = {
  person: object({ id: id("per"), kind: oneOf("person") }),
  agent: object({ for: id("per"), id: id("agt"), kind: oneOf("agent") }),
  system: object({ id: oneOf("worker", "setup"), kind: oneOf("system") }),
};
export type Actor = { [K in keyof typeof ACTORS]: ShapeOf<(typeof ACTORS)[K]> }[keyof typeof ACTORS];
export const nameOf = ({ kind, id: who }: Actor): string => `${kind === "system" ? "the system" : `${kind === "agent" ? "an" : "a"} ${kind}`} (${who})`;
const actor: Shape<Actor> = {
  printed: `(?:${Object.values(ACTORS).map(({ printed }) => printed).join("|")})`,
  fault(value) {
    const kind = (value as Actor | null)?.kind;
    return kind !== undefined && Object.hasOwn(ACTORS, kind) ? ACTORS[kind].fault(value) : "is not a person, an agent or the system";
  },
};

/** Judged by type. */
const anything: Shape<unknown> = { fault: () => null };
const shared = { actor, at: instant, log: logId, prev: hex, seq: integer(0), v: oneOf(1) };
const envelope = object({
  ...shared, data: anything, digest: optional(hex), revision: optional(integer(1)),
  subject: ascii("[A-Za-z0-9_.:-]{1,128}", "an id"), type: ascii("[a-z]+\\.[a-z_]+", "a type"),
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
  const printed = readPrinted(bytes);
  return printed ? { entry: printed as Entry, link: printed, unknownType: null, fault: null } : readClosely(bytes);
}

type Form = { type: EntryType; pattern: RegExp; moves: boolean };
const caught = <T>(shape: Shape<T>): Shape<T> => ({ ...shape, printed: shape.printed && `(${shape.printed})` });

/** The form of each type's entries as one regular expression, where its shapes have one. */
const FORMS: ReadonlyMap<string, Form> = new Map(Object.entries(ENTRY_TYPES).flatMap(([type, { subject, moves, data }]) => {
  const { printed } = object({
    actor: caught(actor), at: caught(instant), data: caught({ ...data, also: undefined }), log: caught(shared.log), prev: caught(hex), seq: caught(shared.seq), subject: caught(subject),
    type: oneOf(type), v: shared.v, ...(moves && { digest: caught(hex), revision: caught(integer(1)) }),
  });
  return printed === undefined ? [] : [[type, { type: type as EntryType, pattern: new RegExp(`^${printed}$`), moves }]];
}));

/** The quick way for what is as it should be, several times as fast as to look at every member; null for everything else. */
function readPrinted(bytes: string): Envelope | null {
  const end = bytes.length - '","v":1}'.length;
  const form = FORMS.get(bytes.slice(bytes.lastIndexOf('"', end - 1) + 1, end));
  const parts = form && bytes.length <= MAX_ENTRY_BYTES ? form.pattern.exec(bytes) : null;
  if (!form || !parts) return null;
  const entry = form.moves ? moveOf(form.type, parts) : JSON.parse(bytes) as Envelope;
  return relationFault(entry, ENTRY_TYPES[form.type]) === null ? entry : null;
}

const moveOf = (type: EntryType, [, by, at, data, digest, log, prev, revision, seq, subject]: string[]): Envelope => ({
  actor: actorOf(by!), at: unquoted(at!), data: JSON.parse(data!) as unknown, digest: unquoted(digest!), log: unquoted(log!), prev: unquoted(prev!), revision: Number(revision),
  seq: Number(seq), subject: unquoted(subject!), type, v: 1,
});

const unquoted = (text: string): string => text.slice(1, -1);
/** A copy for what is kept: the texts of an entry are cut out of its bytes, and hold on to the part of the file that they were read with. */
export const own = (text: string): string => ` ${text}`.slice(1);

/** Few act, and again and again. */
const actors = new Map<string, Actor>();
function actorOf(text: string): Actor {
  const known = actors.get(text);
  if (known) return known;
  if (actors.size >= 1000) actors.clear();
  const read = JSON.parse(text) as Actor;
  actors.set(own(text), read);
  return read;
}

/** Says what is wrong. */
export function readClosely(bytes: string): Reading {
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
  return wrong ?? relationFault(entry, ENTRY_TYPES[entry.type]);
}

/** What must hold between members that are each well-formed. */
function relationFault({ subject, log, data }: Envelope, { data: shape }: { data: Shape<unknown> }): string | null {
  return subject.startsWith("mer-") && log !== `undersigned/${subject}` ? "subject is another merchant" : under("data", shape.also?.(data) ?? null);
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
