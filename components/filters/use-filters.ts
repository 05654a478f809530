"use client";

import { parseAsString, useQueryStates, type Values } from "nuqs";
import { FILTER_NAMES, type FilterName, type Filters } from "./filters";

const PARSERS = Object.fromEntries(FILTER_NAMES.map((name) => [name, parseAsString])) as Record<FilterName, typeof parseAsString>;

/** Filters kept in the address, so that they can be kept, sent and gone back to. An empty value takes its filter away. */
export function useFilters(): { filters: Filters; set: (change: Partial<Record<FilterName, string>>) => void; clear: () => void; count: number } {
  const [values, setValues] = useQueryStates(PARSERS, { history: "replace", shallow: true, throttleMs: 300 });
  const filters = present(values);
  return {
    filters,
    set: (change) => void setValues(Object.fromEntries(Object.entries(change).map(([name, value]) => [name, value === "" ? null : value]))),
    clear: () => void setValues(null),
    count: Object.keys(filters).filter((name) => name !== "zone" && name !== "currency").length,
  };
}

const present = (values: Values<typeof PARSERS>): Filters => Object.fromEntries(Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== null));
