/** What a value parsed from JSON must be. `fault` says in a few words what is wrong, or null; `T` is the type of a value without fault. */
export type Shape<T> = { readonly fault: (value: unknown) => string | null; readonly optional?: true; readonly type?: T };
export type ShapeOf<S> = S extends Shape<infer T> ? T : never;

type Members = Record<string, Shape<unknown>>;
type OptionalNames<M extends Members> = { [N in keyof M]: M[N] extends { optional: true } ? N : never }[keyof M];
type ObjectOf<M extends Members> = { [N in Exclude<keyof M, OptionalNames<M>>]: ShapeOf<M[N]> } & { [N in OptionalNames<M>]?: ShapeOf<M[N]> };

const quote = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const text = (pattern: RegExp, name: string): Shape<string> => ({
  fault: (value) => (typeof value === "string" && pattern.test(value) ? null : `is not ${name}`),
});

export const integer = (min: number): Shape<number> => ({
  fault: (value) => (Number.isSafeInteger(value) && (value as number) >= min ? null : `is not an integer from ${min}`),
});

export const oneOf = <const V extends string | number>(...values: V[]): Shape<V> => ({
  fault: (value) => ((values as unknown[]).includes(value) ? null : `is not ${values.join(" or ")}`),
});

export const optional = <T>(shape: Shape<T>): Shape<T> & { optional: true } => ({ fault: shape.fault, optional: true });

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
});

/** Exactly these members, in the order in which RFC 8785 writes them. */
export function object<M extends Members>(members: M): Shape<ObjectOf<M>> {
  const shapes = new Map(Object.entries(members));
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
  };
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
