import { ascii, text } from "./shape";

// The forms of section 7's values, each by its name in the format.

const TEN = "[A-Za-z0-9_-]{10}";

/** Printable ASCII without spaces, quotes and backslashes. */
const UNESCAPED = "[!#-\\[\\]-~]";

export const hex = ascii("[0-9a-f]{64}", "64 hex digits");
export const salt = ascii("[0-9a-f]{32}", "32 hex digits");
export const amount = ascii("0|[1-9][0-9]{0,18}", "an amount in minor units");
export const currency = ascii("[A-Z]{3}", "an ISO 4217 currency");
/** Words of the program, never of a person: codes, rules, causes, verbs, scopes. */
export const word = ascii("[a-z][a-z0-9_:]{0,63}", "a word");
/** A cap or an actual value, as a rule prints it. */
export const figure = text(/^[\x21-\x7e]{1,64}$/, "a figure", `${UNESCAPED}{1,64}`);
/** An attempt's id, or a platform's reference. */
export const token = text(/^[\x21-\x7e]{1,255}$/, "printable ASCII without spaces", `${UNESCAPED}{1,255}`);

export const id = (...prefixes: string[]) =>
  ascii(`(?:${prefixes.join("|")})-${TEN}`, `an id ${prefixes.map((prefix) => `${prefix}-…`).join(" or ")}`);

/** The id of a merchant's log. */
export const logId = ascii(`undersigned/mer-${TEN}`, "a log's id");

const days = "(?:0[1-9]|[12][0-9]|3[01])";
const time = "T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}Z";
const form = ascii(`[0-9]{4}-(?:0[1-9]|1[0-2])-${days}${time}`, "RFC 3339 UTC with milliseconds");
/** RFC 3339 UTC with milliseconds, of a day that exists. Text order is time order. */
export const instant: typeof form = {
  fault(value) {
    const fault = form.fault(value);
    if (fault || Number((value as string).slice(8, 10)) <= 28) return fault;
    return new Date(value as string).toISOString() === value ? null : "is a day that does not exist";
  },
  // The 29th of February is left to the calendar.
  printed: `"[0-9]{4}-(?:(?:0[13578]|1[02])-${days}|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))${time}"`,
};
