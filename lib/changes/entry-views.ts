import { formatMoney } from "../kernel/money";
import { tenant } from "../database/client";
import type { EntryRow } from "../log/queries";
import { readNames } from "./names";
import type { EntryView } from "./view";

type Read = { actor: { kind: string; id: string; for?: string }; data: Record<string, unknown>; subject: string; type: string };
type Named = { names: Map<string, string>; changes: Map<string, { number: string; currency: string; amountMinor: bigint }> };

/** Entries in a reader's words: names for ids, the order's number for a change. Bytes and hash stay as they are. */
export async function toEntryViews(merchantId: string, rows: readonly EntryRow[]): Promise<EntryView[]> {
  const read = rows.map((row) => ({ row, entry: JSON.parse(row.entry) as Read }));
  const named = await readNamed(merchantId, read.map(({ entry }) => entry));
  return read.map(({ row, entry }) => toView(row, entry, named));
}

function toView(row: EntryRow, entry: Read, { names, changes }: Named): EntryView {
  const change = changes.get(entry.subject);
  const moves = ["change.staged", "change.approved", "change.endorsed", "change.applied", "change.failed"].includes(entry.type);
  return {
    seq: Number(row.seq), type: row.type, at: row.at.toISOString(),
    who: names.get(entry.actor.id) ?? entry.actor.id, whoFor: entry.actor.for ? (names.get(entry.actor.for) ?? entry.actor.for) : null,
    about: aboutOf(entry, change?.number, names), changeId: change ? entry.subject : null,
    detail: detailOf(entry, change?.currency ?? null),
    amountMinor: change && moves ? String(change.amountMinor) : null, currency: change && moves ? change.currency : null,
    leafHash: row.leafHash, bytes: row.entry,
  };
}

function aboutOf({ type, data, subject }: Read, orderNumber: string | undefined, names: Map<string, string>): string {
  if (orderNumber !== undefined) return orderNumber;
  if (type === "policy.published") return `version ${String(data.version)}`;
  if (type.startsWith("policy.")) return `on version ${String(data.base)}`;
  if (type.startsWith("merchant.")) return "the shop";
  const named = type.startsWith("member.") ? names.get(String(data.person)) : names.get(String(data.agent ?? subject));
  return named ?? subject;
}

/** Codes as words: `already_refunded` → "already refunded". */
const words = (code: unknown): string => String(code).replaceAll("_", " ");

function detailOf({ type, data }: Read, currency: string | null): string | null {
  switch (type) {
    case "change.endorsed":
    case "change.approved":
      return `${String(data.have)} of ${String(data.required)}`;
    case "change.rejected":
      return words(data.code);
    case "change.failed":
      return limit(words(data.rule ?? data.cause), data, currency);
    case "change.refused":
      return limit(words(data.rule ?? data.code), data, currency);
    case "change.scheduled":
      return data.at === undefined ? "no time yet" : `for ${String(data.at).slice(0, 16).replace("T", " ")} UTC`;
    case "member.added":
    case "member.changed":
      return String(data.role);
    default:
      return null;
  }
}

const IN_MONEY = new Set(["max_refund_amount", "max_operator_refund_amount", "max_refund_pct", "refundable_remainder", "agent_daily_refund_total", "operator_daily_approved_total"]);

function limit(said: string, data: Record<string, unknown>, currency: string | null): string {
  if (data.count !== undefined) return `${String(data.count)} more`;
  if (data.cap === undefined || data.actual === undefined) return said;
  const money = currency !== null && IN_MONEY.has(String(data.rule));
  const figure = (value: unknown) => (money ? formatMoney({ amountMinor: BigInt(String(value)), currency }) : String(value));
  return `${said}: ${figure(data.actual)}, cap ${figure(data.cap)}`;
}

async function readNamed(merchantId: string, entries: readonly Read[]): Promise<Named> {
  const ids = entries.flatMap(({ actor, data, subject }) => [actor.id, actor.for, data.person, data.agent, subject].filter((id): id is string => typeof id === "string"));
  const [names, changes] = await Promise.all([
    readNames(merchantId, ids),
    tenant(merchantId).change.findMany({ where: { merchantId, id: { in: ids.filter((id) => id.startsWith("chg-")) } }, select: { id: true, currency: true, amountMinor: true, order: { select: { number: true } } } }),
  ]);
  return { names, changes: new Map(changes.map(({ id, currency, amountMinor, order }) => [id, { number: order.number, currency, amountMinor }])) };
}
