/**
 * What a value parsed from JSON must be. `fault` says in a few words what is wrong, or null; `T` is the type of a value without fault.
 * `printed` is the source of a regular expression, where there is one: whatever it matches is the RFC 8785 form of a value without fault,
 * but for what `also` finds. It need not match every such form: what it leaves is judged by `fault`.
 */
export type Shape<T> = {
  readonly fault: (value: unknown) => string | null; readonly optional?: true; readonly type?: T;
  readonly printed?: string | undefined; also?(value: T): string | null;
};
export type ShapeOf<S> = S extends Shape<infer T> ? T : never;

type Members = Record<string, Shape<unknown>>;
type OptionalNames<M extends Members> = { [N in keyof M]: M[N] extends { optional: true } ? N : never }[keyof M];
type ObjectOf<M extends Members> = { [N in Exclude<keyof M, OptionalNames<M>>]: ShapeOf<M[N]> } & { [N in OptionalNames<M>]?: ShapeOf<M[N]> };

const quote = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `verbatim` is the source of what JSON prints as it is: no quote, no backslash, no control character, ASCII alone. */
export const text = (pattern: RegExp, name: string, verbatim?: string): Shape<string> => ({
  fault: (value) => (typeof value === "string" && pattern.test(value) ? null : `is not ${name}`),
  printed: verbatim && `"(?:${verbatim})"`,
});

/** A text whose source is verbatim: it can hold none of what JSON escapes. */
export const ascii = (verbatim: string, name: string): Shape<string> => text(new RegExp(`^(?:${verbatim})$`), name, verbatim);

/** Whatever a person or a program may have written. */
export const anyText = text(/^/, "a text");

export const integer = (min: 0 | 1): Shape<number> => ({
  fault: (value) => (Number.isSafeInteger(value) && (value as number) >= min ? null : `is not an integer from ${min}`),
  printed: min === 0 ? "(?:0|[1-9][0-9]{0,14})" : "[1-9][0-9]{0,14}",
});

export const oneOf = <const V extends string | number>(...values: V[]): Shape<V> => ({
  fault: (value) => ((values as unknown[]).includes(value) ? null : `is not ${values.join(" or ")}`),
  printed: `(?:${values.map((value) => JSON.stringify(value).replaceAll(/[^\w"]/g, "\\$&")).join("|")})`,
});

export const optional = <T>(shape: Shape<T>): Shape<T> & { optional: true } => ({ ...shape, optional: true });

export const nullable = <T>(shape: Shape<T>): Shape<T | null> => ({
  fault: (value) => (value === null ? null : shape.fault(value)),
});

export const list = <T>(item: Shape<T>, max = Infinity): Shape<T[]> => ({
  fault(value) {
    if (!Array.isArray(value)) return "is not a list";
    if (value.length > max) return `has more than ${max} items`;
    for (const [index, member] of value.entries()) {
      const fault = item.fault(member);
      if (fault) return `[${index}] ${fault}`;
    }
    return null;
  },
  printed: item.printed && !item.also && max === Infinity ? `\\[(?:${item.printed}(?:,${item.printed})*)?\\]` : undefined,
});

/** Exactly these members, in the order in which RFC 8785 writes them. */
export function object<M extends Members>(members: M): Shape<ObjectOf<M>> {
  const shapes = new Map(Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const required = [...shapes].filter(([, shape]) => !shape.optional).map(([name]) => name);
  return {
    fault(value) {
      if (!isObject(value)) return "is not an object";
      let before = "";
      let found = 0;
      for (const name in value) {
        if (name <= before) return `has ${quote(name)} after ${quote(before)}`;
        before = name;
        const shape = shapes.get(name);
        if (!shape) return `has an unknown member ${quote(name)}`;
        const fault = shape.fault(value[name]);
        if (fault) return `${name} ${fault}`;
        if (!shape.optional) found += 1;
      }
      return found === required.length ? null : `lacks ${required.find((name) => !Object.hasOwn(value, name))}`;
    },
    printed: printedObject([...shapes]),
  };
}

/** Commas stand before the members that follow the first required one, and after those before it. */
function printedObject(members: readonly [string, Shape<unknown>][]): string | undefined {
  const first = members.findIndex(([, shape]) => !shape.optional);
  if (members.some(([, shape]) => shape.printed === undefined || shape.also) || (first < 0 && members.length > 1)) return undefined;
  const printed = members.map(([name, shape], at) => {
    const member = `"${name}":${shape.printed}`;
    if (at === first) return member;
    const apart = first < 0 ? member : at < first ? `${member},` : `,${member}`;
    return shape.optional ? `(?:${apart})?` : apart;
  });
  return `\\{${printed.join("")}\\}`;
}

export type Plain = string | number | boolean | Plain[] | { [name: string]: Plain };

/** Strings, safe integers, booleans, lists and objects of these, members in order; no null, no float. */
const plain: Shape<Plain> = {
  fault(value) {
    if (typeof value === "string" || typeof value === "boolean") return null;
    if (typeof value === "number") return Number.isSafeInteger(value) ? null : "is not a safe integer";
    if (Array.isArray(value)) return list(plain).fault(value);
    return value === null ? "is null" : plainObject.fault(value);
  },
};

export const plainObject: Shape<{ [name: string]: Plain }> = {
  fault(value) {
    if (!isObject(value)) return "is not an object";
    let before = "";
    for (const name in value) {
      if (name <= before) return `has ${quote(name)} after ${quote(before)}`;
      before = name;
      const fault = plain.fault(value[name]);
      if (fault) return `${quote(name)} ${fault}`;
    }
    return null;
  },
};
