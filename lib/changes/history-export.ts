import type { Ctx, PersonActor } from "../kernel/context";
import { csvLine } from "../kernel/csv";
import { toDecimal } from "../kernel/money";
import { authorise } from "../kernel/permit";
import type { ChangeFilters } from "./filters";
import { listHistory } from "./history";
import type { HistoryRow } from "./view";

export const EXPORT_FORMATS = ["csv", "json"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const BATCH = 200;
const HEAD = ["change", "order", "customer", "reason", "currency", "amount", "state", "required", "proposed_at", "ended_at", "ended_by", "decided_by", "why"];

/** The history as a file, in constant memory and short reads. Times in UTC, amounts as plain decimals. */
export async function* exportHistory(ctx: Ctx<PersonActor>, filters: ChangeFilters, format: ExportFormat): AsyncGenerator<string> {
  authorise(ctx, "changes:read");
  if (format === "csv") yield `\ufeff${csvLine(HEAD)}`; // a spreadsheet reads UTF-8 by its mark
  let first = true;
  for await (const row of everyRow(ctx, filters)) {
    if (format === "csv") yield csvOf(row);
    else yield `${first ? "[\n" : ",\n"}${JSON.stringify(jsonOf(row))}`;
    first = false;
  }
  if (format === "json") yield first ? "[]\n" : "\n]\n";
}

async function* everyRow(ctx: Ctx<PersonActor>, filters: ChangeFilters): AsyncGenerator<HistoryRow> {
  for (let cursor: string | undefined; ;) {
    const { items, nextCursor } = await listHistory(ctx, filters, cursor, BATCH);
    yield* items;
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}

const jsonOf = (row: HistoryRow) => ({
  change: row.id, order: row.orderNumber, customer: row.customer, reason: row.reason, currency: row.currency, amount: toDecimal({ amountMinor: BigInt(row.amountMinor), currency: row.currency }),
  amountMinor: row.amountMinor, state: row.state, required: row.required, proposedAt: row.stagedAt, endedAt: row.endedAt, endedBy: row.endedBy, decidedBy: row.deciders, why: row.why,
});

function csvOf(row: HistoryRow): string {
  const { change, order, customer, reason, currency, amount, state, required, proposedAt, endedAt, endedBy, decidedBy, why } = jsonOf(row);
  return csvLine([change, order, customer, reason, currency, { number: amount }, state, { number: String(required) }, proposedAt, endedAt, endedBy, decidedBy.join("; "), why]);
}
