/** "Maya Lindqvist or Priya Nair" */
export const eitherOf = (names: readonly string[]): string => new Intl.ListFormat("en-GB", { type: "disjunction" }).format(names);

/** "Maya Lindqvist and Priya Nair" */
export const allOf = (names: readonly string[]): string => new Intl.ListFormat("en-GB", { type: "conjunction" }).format(names);
