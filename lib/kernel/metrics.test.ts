import { expect, test } from "vitest";
import { count, observe, openMetrics } from "./metrics";

test("counts, sums and gauges are told as OpenMetrics", () => {
  count("undersigned_jobs", { type: "change.apply", outcome: "done" });
  count("undersigned_jobs", { type: "change.apply", outcome: "done" });
  observe("undersigned_commit_seconds", { verb: "approve" }, 0.25);
  observe("undersigned_commit_seconds", { verb: "approve" }, 0.5);
  const text = openMetrics([{ metric: "undersigned_pool_waiting", value: 3 }]);
  expect(text).toContain("# TYPE undersigned_jobs counter\n");
  expect(text).toContain('undersigned_jobs_total{type="change.apply",outcome="done"} 2\n');
  expect(text).toContain('undersigned_commit_seconds_sum{verb="approve"} 0.75\nundersigned_commit_seconds_count{verb="approve"} 2\n');
  expect(text).toContain("\nundersigned_pool_waiting 3\n");
  expect(text.endsWith("# EOF\n")).toBe(true);
});

test("a label is inert text", () => {
  count("undersigned_refusals", { code: 'a"b\\c\nd' });
  expect(openMetrics([])).toContain('{code="a\\"b\\\\c\\nd"} 1\n');
});
