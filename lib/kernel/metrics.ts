type Labels = Readonly<Record<string, string | number>>;
type Family = { kind: "counter" | "gauge" | "summary"; help: string };

/** Every metric there is. Counts are of one process since it started; seconds are sums with their counts. */
const FAMILIES = {
  undersigned_requests: { kind: "counter", help: "Answered requests, by class of route, method and status." },
  undersigned_request_seconds: { kind: "summary", help: "Seconds from a request's head to the end of its answer." },
  undersigned_refusals: { kind: "counter", help: "Refusals told to a caller, by code; also those that leave no entry in the log." },
  undersigned_faults: { kind: "counter", help: "Requests that failed unexpectedly, by SQLSTATE where the database said one." },
  undersigned_uncommitted: { kind: "counter", help: "Agent writes that were answered without a new entry: replays and dry runs." },
  undersigned_commit_seconds: { kind: "summary", help: "Seconds of a write transaction, with the wait for its merchant's log." },
  undersigned_jobs: { kind: "counter", help: "Jobs of the outbox, by type and outcome." },
  undersigned_outbox_due: { kind: "gauge", help: "Jobs that are due and not done." },
  undersigned_outbox_oldest_seconds: { kind: "gauge", help: "Age of the oldest job that is due and not done; it grows where no worker runs." },
  undersigned_pool_connections: { kind: "gauge", help: "This process's connections to the database, by use." },
  undersigned_pool_waiting: { kind: "gauge", help: "Callers in this process that wait for a connection." },
} as const satisfies Record<string, Family>;

export type Metric = keyof typeof FAMILIES;
type Value = { sum: number; count: number };
type Values = Map<string, Value>;

// One registry for the process: Next may load this module more than once.
const kept = globalThis as unknown as { undersignedMetrics?: Map<Metric, Values> };
const registry = (): Map<Metric, Values> => (kept.undersignedMetrics ??= new Map());

/** Adds one to a counter. Labels come from closed lists, never from a caller. */
export const count = (metric: Metric, labels: Labels = {}): void => add(registry(), metric, labels, 1);

/** Adds a duration to a summary. */
export const observe = (metric: Metric, labels: Labels, seconds: number): void => add(registry(), metric, labels, seconds);

export type Gauge = { metric: Metric; labels?: Labels; value: number };

/** All counts, and the gauges as they are now, as OpenMetrics text (version 1.0.0). */
export function openMetrics(gauges: readonly Gauge[]): string {
  const all = new Map(registry());
  for (const { metric } of gauges) all.set(metric, new Map());
  for (const { metric, labels = {}, value } of gauges) add(all, metric, labels, value);
  const lines = [...all].flatMap(([metric, values]) => {
    const { kind, help } = FAMILIES[metric];
    return [`# TYPE ${metric} ${kind}`, `# HELP ${metric} ${help}`, ...[...values].flatMap(([labels, value]) => samples(metric, kind, labels, value))];
  });
  return [...lines, "# EOF", ""].join("\n");
}

function add(metrics: Map<Metric, Values>, metric: Metric, labels: Labels, amount: number): void {
  const values = metrics.get(metric) ?? new Map<string, Value>();
  metrics.set(metric, values);
  const key = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value))}"`).join(",");
  const value = values.get(key) ?? { sum: 0, count: 0 };
  values.set(key, { sum: value.sum + amount, count: value.count + 1 });
}

function samples(metric: Metric, kind: Family["kind"], labels: string, { sum, count: times }: Value): string[] {
  const set = labels ? `{${labels}}` : "";
  if (kind === "gauge") return [`${metric}${set} ${sum}`];
  return kind === "counter" ? [`${metric}_total${set} ${sum}`] : [`${metric}_sum${set} ${sum}`, `${metric}_count${set} ${times}`];
}

const escaped = (text: string): string => text.replace(/[\\"\n]/g, (char) => (char === "\n" ? "\\n" : `\\${char}`));
