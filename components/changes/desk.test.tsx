import { configure, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { useSyncExternalStore } from "react";
import { afterEach, beforeEach, expect, test, vi, type Mock } from "vitest";
import type { ChangeView, DecisionState } from "@/lib/changes/view";
import { Providers } from "@/components/shell/providers";
import { DecisionsProvider, type Actions } from "./decisions";
import { ChangesDesk } from "./desk";
import { MOMENT } from "./sheet/change-sheet";
import { aChange, aPage, done, refused } from "./testing";

// A busy machine takes its time; nothing here waits longer than it must.
configure({ asyncUtilTimeout: 8000 });
vi.setConfig({ testTimeout: 30_000 });

const IDS = ["chg-aaaaaaaaaa", "chg-bbbbbbbbbb", "chg-cccccccccc"];
const [A, B] = IDS as [string, string, string];
let rows = IDS;
let changes: Map<string, ChangeView>;

vi.mock("next/navigation", () => ({
  usePathname: () => useSyncExternalStore((tell) => { addEventListener("moved", tell); return () => removeEventListener("moved", tell); }, () => location.pathname),
}));

beforeEach(() => {
  rows = IDS;
  changes = new Map(IDS.map((id) => [id, aChange({ id, digest: id.at(-1)!.repeat(64) })]));
  for (const how of ["pushState", "replaceState"] as const) {
    const original = history[how].bind(history);
    vi.spyOn(history, how).mockImplementation((...args) => { original(...args); dispatchEvent(new Event("moved")); });
  }
  history.replaceState(null, "", "/changes");
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
  Element.prototype.scrollIntoView = () => {};
  vi.stubGlobal("scrollTo", () => {});
  vi.stubGlobal("fetch", (path: string) => {
    const id = /changes\/([^?]+)/.exec(path)?.[1];
    return Promise.resolve(Response.json(id ? changes.get(id) : aPage(rows)));
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

type Answer = DecisionState | Promise<DecisionState>;

function open(answers: Partial<Record<keyof Actions, Answer>>, shortcuts = true) {
  const actions = Object.fromEntries((["approve", "reject", "retract", "retry", "withdraw"] as const).map((deed) => [deed, vi.fn<Actions["approve"]>(() => Promise.resolve(answers[deed] ?? done()))])) as unknown as { [D in keyof Actions]: Mock<Actions[D]> };
  render(
    <Providers nonce={undefined} zone="UTC" now={new Date().toISOString()} theme="system" shortcuts={shortcuts}>
      <DecisionsProvider actions={actions}><ChangesDesk view="waiting" page={aPage(IDS)} change={changes.get(A)} /></DecisionsProvider>
    </Providers>,
  );
  return actions;
}

const press = (key: string, init: KeyboardEventInit = {}) => fireEvent.keyDown(document.body, { key, ...init });
/** A change can be decided a moment after it has opened. */
const pressUntil = (key: string, seen: () => void) => waitFor(() => { press(key); seen(); }, { interval: 60 });
const title = () => screen.getByRole("heading", { level: 1, name: /Refund/ }).textContent;
const listed = () => [...document.querySelectorAll("[data-change]")].map((row) => row.getAttribute("data-change"));
const foot = () => screen.getByRole("status", { name: "Taking effect" });
const sent = (action: Mock<Actions["approve"]>) => Object.fromEntries(action.mock.calls[0]![1]);

test("a press signs what was seen, opens the next change at once, and ink follows the answer", async () => {
  let answer: (state: DecisionState) => void = () => {};
  const actions = open({ approve: new Promise<DecisionState>((resolve) => { answer = resolve; }) });
  await pressUntil("a", () => expect(actions.approve).toHaveBeenCalledOnce());
  expect(sent(actions.approve)).toEqual({ changeId: A, seenDigest: "a".repeat(64), seenFactsDigest: "f".repeat(64), seenFigures: "{}" });
  await waitFor(() => expect(title()).toBe("Refund to order 53733b"));
  expect(listed()).toEqual(IDS.slice(1));
  expect(foot()).toHaveTextContent("53733a £45.00Signing…");
  expect(foot().querySelector("svg[viewBox='0 0 120 32']")).toBeNull();

  rows = IDS.slice(1);
  answer(done({ changeId: A }));
  expect(await within(foot()).findByText(/Takes effect in/)).toBeVisible();
  expect(foot().querySelector("svg[viewBox='0 0 120 32']")).not.toBeNull();
});

test("the second press of a double press does not sign the change that has just opened", async () => {
  // The moment in which a change that has opened takes no press: over for the first, not yet over for the second, however slow this machine.
  const real = globalThis.setTimeout;
  let opened = 0;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((work: () => void, ms?: number) => (ms === MOMENT && opened++ > 0 ? 0 : real(work, ms))) as typeof setTimeout);
  const actions = open({});
  await pressUntil("a", () => expect(actions.approve).toHaveBeenCalledOnce());
  press("a");
  await waitFor(() => expect(title()).toBe("Refund to order 53733b"));
  press("a");
  fireEvent.click(screen.getByRole("button", { name: "Approve £45.00" }));
  expect(actions.approve).toHaveBeenCalledOnce();
});

test("a refusal puts the change back where it was, with its cause, and does not take the reader away", async () => {
  const actions = open({ approve: refused({ changeId: A }) });
  await pressUntil("a", () => expect(actions.approve).toHaveBeenCalledOnce());
  expect(await within(foot()).findByText(/Not signed/)).toHaveTextContent("The figures moved while you were looking at them.");
  expect(listed()).toEqual(IDS);
  expect(title()).toBe("Refund to order 53733b");
  fireEvent.click(within(foot()).getByRole("button", { name: "Look again" }));
  await waitFor(() => expect(title()).toBe("Refund to order 53733a"));
});

const faulted = refused({ changeId: A, code: "unavailable", moved: [], reference: "7f6c0b1e", message: "Something failed on our side. Reference 7f6c0b1e" });

test("a fault may have been written all the same: it is looked up first, and then told with its reference", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const actions = open({ approve: faulted });
  await pressUntil("a", () => expect(actions.approve).toHaveBeenCalledOnce());
  expect(await within(foot()).findByText(/It is being looked up; nothing is sent twice/)).toBeVisible();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await within(foot()).findByText(/Reference 7f6c0b1e/)).toHaveTextContent("Not signed. Something failed on our side.");
  expect(actions.approve).toHaveBeenCalledOnce();
});

test("a fault that was written is no failure", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const actions = open({ approve: faulted });
  await pressUntil("a", () => expect(actions.approve).toHaveBeenCalledOnce());
  const before = changes.get(A)!;
  changes.set(A, { ...before, state: "approved", revision: 2, signatures: [{ personId: before.viewer.personId, name: before.viewer.name, at: before.stagedAt, leafHash: "6".repeat(64), mine: true }] });
  await vi.advanceTimersByTimeAsync(10_000);
  await waitFor(() => expect(foot()).not.toHaveTextContent(/looked up|Reference/));
});

test("a refusal on screen has only one way on: to look again", async () => {
  const actions = open({ approve: refused({ changeId: A }) });
  await pressUntil("a", () => expect(actions.approve).toHaveBeenCalledOnce());
  await within(foot()).findByText(/Not signed/);
  fireEvent.click(document.querySelector(`[data-change="${A}"]`)!);
  await waitFor(() => expect(title()).toBe("Refund to order 53733a"));
  const bar = screen.getByRole("contentinfo", { name: "Decision" });
  await waitFor(() => expect(bar).toHaveTextContent("Remaining was £100.00, is now £40.00."));
  expect(within(bar).getAllByRole("button").map((button) => button.textContent)).toEqual(["Look again"]);
  expect(bar).toHaveTextContent("No money moved.");
});

test("z takes back the last approval, and the change is where it was", async () => {
  const actions = open({ approve: done({ changeId: A }), retract: done({ verb: "retract", changeId: A, effectiveAt: null }) });
  await pressUntil("a", () => expect(actions.approve).toHaveBeenCalledOnce());
  await within(foot()).findByText(/Takes effect in/);
  press("z");
  expect(await within(foot()).findByText(/Taken back, no money moved/)).toBeVisible();
  expect(sent(actions.retract)).toEqual({ changeId: A, seenDigest: "a".repeat(64) });
  expect(listed()).toEqual(IDS);
});

test("a rejection needs a reason", async () => {
  const actions = open({ reject: done({ verb: "reject", effectiveAt: null }) });
  await pressUntil("r", () => expect(screen.getByRole("dialog")).toBeVisible());
  fireEvent.click(screen.getByRole("button", { name: "Reject" }));
  expect(await screen.findByText(/Say why/)).toBeVisible();
  expect(actions.reject).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Amount too high" }));
  fireEvent.click(screen.getByRole("button", { name: "Reject" }));
  await waitFor(() => expect(actions.reject).toHaveBeenCalledOnce());
  expect(sent(actions.reject)).toEqual({ changeId: A, seenDigest: "a".repeat(64), code: "amount_too_high", reason: "Amount too high." });
});

test("j and k move; switched off, keys do nothing", async () => {
  open({});
  press("j");
  await waitFor(() => expect(title()).toBe("Refund to order 53733b"));
  expect(location.pathname).toBe(`/changes/${B}`);
  press("k");
  await waitFor(() => expect(title()).toBe("Refund to order 53733a"));
  press("j", { repeat: true });
  press("j", { ctrlKey: true });
  expect(title()).toBe("Refund to order 53733a");
});

test("with single keys switched off none of them acts", () => {
  const actions = open({}, false);
  for (const key of ["a", "r", "j", "z"]) press(key);
  expect(actions.approve).not.toHaveBeenCalled();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(title()).toBe("Refund to order 53733a");
});

test("what is decided outside the list stays open", async () => {
  const elsewhere = "chg-zzzzzzzzzz";
  changes.set(elsewhere, aChange({ id: elsewhere, state: "failed" }));
  history.replaceState(null, "", `/changes/${elsewhere}`);
  const actions = open({ retry: refused({ code: "guardrail_violation", message: "A guardrail refuses this", moved: [], changeId: elsewhere }) });
  await screen.findByRole("button", { name: "Try again" });
  await waitFor(() => { fireEvent.click(screen.getByRole("button", { name: "Try again" })); expect(actions.retry).toHaveBeenCalledOnce(); }, { interval: 60 });
  expect(await screen.findByText("Not tried again. A guardrail refuses this.")).toBeVisible();
  expect(title()).toBe("Refund to order 53733z");
});
