import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { TriedPage, TriedRow } from "@/lib/changes/try-policy";
import { DEFAULT_RULES } from "@/lib/guardrails/schema";
import { ClockProvider } from "@/components/ui/clock";
import { begun, withPage } from "./trial";
import { TryIt } from "./try-it";

const row = (nth: number, more: Partial<TriedRow> = {}): TriedRow => ({
  changeId: `chg-${nth}`, orderId: `ord-${nth}`, orderNumber: `N${nth}`, at: "2026-11-30T06:32:56.295Z", currency: "GBP", amountMinor: "1000", outcome: "same", was: 1, now: 1, broken: null, unjudged: [], ...more,
});
const REFUSED: Partial<TriedRow> = { outcome: "refused", now: null, broken: { rule: "max_refund_amount", path: "/amount", cap: "999", actual: "1000" } };

afterEach(() => vi.unstubAllGlobals());

/** Answers each call with the next page; the last one never comes where there are fewer pages than calls. */
function serves(pages: TriedPage[]): { asked: unknown[] } {
  const asked: unknown[] = [];
  vi.stubGlobal("fetch", (_path: string, { body, signal }: { body: string; signal: AbortSignal }) => {
    asked.push((JSON.parse(body) as { before?: string }).before ?? null);
    const page = pages[asked.length - 1];
    if (page) return Promise.resolve(Response.json(page));
    return new Promise((_resolve, reject) => { signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError"))); });
  });
  return { asked };
}

const shown = () => render(<ClockProvider zone="UTC" now="2026-11-30T07:00:00.000Z"><TryIt rules={DEFAULT_RULES} what="The draft" onClose={() => undefined} /></ClockProvider>);

test("pages are summed by kind and currency, exactly", () => {
  const huge = "9007199254740993";
  let trial = withPage(begun(), { rows: [row(1, REFUSED), row(2, { amountMinor: huge })], next: "1", total: 4 });
  trial = withPage(trial, { rows: [row(3, { ...REFUSED, currency: "JPY", amountMinor: "58" }), row(4, { outcome: "more", now: 2, unjudged: ["agent_daily_changes"] })], next: null, total: null });
  expect(trial).toMatchObject({ done: 4, total: 4, staged: 2, unjudged: { count: 1, rules: ["agent_daily_changes"] }, money: { refused: { GBP: 1000n, JPY: 58n }, same: { GBP: BigInt(huge) }, more: { GBP: 1000n }, fewer: {} } });
  expect(trial.rows.refused.map(({ orderNumber }) => orderNumber)).toEqual(["N1", "N3"]);
});

test("page after page is asked for, and each kind opens on its first fifty", async () => {
  const refused = Array.from({ length: 51 }, (_, nth) => row(nth, REFUSED));
  const { asked } = serves([{ rows: refused, next: "90", total: 53 }, { rows: [row(60), row(61, { changeId: null, outcome: "let_through", was: null, now: 1 })], next: null, total: null }]);
  shown();
  await screen.findByText("All 53 that were proposed are judged.");
  expect(asked).toEqual([null, "90"]);
  expect(within(screen.getByRole("row", { name: /would be refused/ })).getAllByRole("cell").map((cell) => cell.textContent)).toEqual(["51", "510.00"]);
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: /would be refused/ }));
  expect(screen.getAllByRole("link")).toHaveLength(50);
  expect(screen.getAllByRole("listitem")[0]).toHaveTextContent("An agent may ask for at most … per refund: £10.00, cap £9.99");
  await user.click(screen.getByRole("button", { name: "Show 1 more" }));
  expect(screen.getAllByRole("link")).toHaveLength(51);
  await user.click(screen.getByRole("button", { name: /would be let through/ }));
  expect(screen.getByRole("link")).toHaveAttribute("href", "/orders/ord-61");
  expect(screen.queryByText(/refused everything/)).not.toBeInTheDocument();
});

test("it can be stopped, and what was found stays", async () => {
  serves([{ rows: [row(1), row(2)], next: "5", total: 10_000 }]);
  shown();
  await screen.findByText("2 of 10,000");
  await userEvent.setup().click(screen.getByRole("button", { name: "Stop" }));
  expect(screen.getByText("Stopped after 2 of 10,000. What is below holds for those, the newest.")).toBeInTheDocument();
  expect(screen.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "0");
});

test("a draft that would have refused everything is told so plainly", async () => {
  serves([{ rows: [row(1, REFUSED), row(2, { outcome: "same", was: null, now: null })], next: null, total: 2 }]);
  shown();
  expect(await screen.findByText("It would have refused everything: 2 of 2.")).toBeInTheDocument();
});

test("no answer is no result", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("failed")));
  shown();
  expect(await screen.findByText(/^No answer after 0 of 0/)).toBeInTheDocument();
});
