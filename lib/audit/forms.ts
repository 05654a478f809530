import { text } from "./shape";

// The forms of section 7's values, each by its name in the format.

export const hex = text(/^[0-9a-f]{64}$/, "64 hex digits");
export const salt = text(/^[0-9a-f]{32}$/, "32 hex digits");
export const amount = text(/^(?:0|[1-9][0-9]{0,18})$/, "an amount in minor units");
export const currency = text(/^[A-Z]{3}$/, "an ISO 4217 currency");
/** Words of the program, never of a person: codes, rules, causes, verbs, scopes. */
export const word = text(/^[a-z][a-z0-9_:]{0,63}$/, "a word");
/** A cap or an actual value, as a rule prints it. */
export const figure = text(/^[\x21-\x7e]{1,64}$/, "a figure");
/** An attempt's id, or a platform's reference. */
export const token = text(/^[\x21-\x7e]{1,255}$/, "printable ASCII without spaces");

export const id = (...prefixes: string[]) =>
  text(new RegExp(`^(?:${prefixes.join("|")})-[A-Za-z0-9_-]{10}$`), `an id ${prefixes.map((prefix) => `${prefix}-…`).join(" or ")}`);

const day = "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])";
const form = text(new RegExp(`^${day}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}Z$`), "RFC 3339 UTC with milliseconds");
/** RFC 3339 UTC with milliseconds, of a day that exists. Text order is time order. */
export const instant: typeof form = {
  fault(value) {
    const fault = form.fault(value);
    if (fault || Number((value as string).slice(8, 10)) <= 28) return fault;
    return new Date(value as string).toISOString() === value ? null : "is a day that does not exist";
  },
};
