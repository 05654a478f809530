/** The members of a filter as they stand in the address; absent ones are not there. */
export const FILTER_NAMES = ["q", "state", "reason", "agent", "by", "from", "to", "zone", "currency", "min", "max", "conflict", "soon"] as const;
export type FilterName = (typeof FILTER_NAMES)[number];
export type Filters = Partial<Record<FilterName, string>>;

/** The filters of an address, for the server's first page. What is no filter is left out. */
export const filtersOf = (params: Record<string, string | string[] | undefined>): Filters =>
  Object.fromEntries(FILTER_NAMES.flatMap((name) => (typeof params[name] === "string" && params[name] !== "" ? [[name, params[name]]] : [])));
