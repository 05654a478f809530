import { z } from "zod";
import { Refusal } from "../kernel/refusal";

/** The paging parameters of every list: `limit` 1 to 100, 50 where absent. */
export const Limit = z.coerce.number().int().min(1).max(100).default(50);

/** A request's query by a schema; an unknown or doubled parameter is refused by name. */
export function readQuery<S extends z.ZodType>(url: URL, schema: S): z.infer<S> {
  const doubled = [...new Set(url.searchParams.keys())].filter((name) => url.searchParams.getAll(name).length > 1);
  const withNull = [...url.searchParams].filter((pair) => pair.join("").includes("\0")).map(([name]) => name);
  const parsed = schema.safeParse(Object.fromEntries(url.searchParams));
  if (parsed.success && doubled.length + withNull.length === 0) return parsed.data;
  const fields: Record<string, string[]> = Object.fromEntries([
    ...doubled.map((name) => [`?${name}`, ["given twice"]]), ...withNull.map((name) => [`?${name}`, ["contains U+0000"]]),
  ]);
  for (const issue of parsed.error?.issues ?? []) {
    for (const name of issue.code === "unrecognized_keys" ? issue.keys : [String(issue.path[0])]) (fields[`?${name}`] ??= []).push(issue.code === "unrecognized_keys" ? "unknown parameter" : issue.message);
  }
  throw new Refusal("invalid_input", { detail: `Check ${Object.keys(fields).join(", ")}`, fields });
}
