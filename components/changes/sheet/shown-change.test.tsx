import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import type { ChangeView } from "@/lib/changes/view";
import { changeQuery } from "@/lib/browser/queries";
import { aChange } from "../testing";
import { movedFigures, useShownChange } from "./shown-change";

const shown = aChange();
const moved = aChange({ factsDigest: "0".repeat(64), payment: { ...shown.payment, heldMinor: "4000", remainsAfterMinor: "1500" } });

afterEach(() => vi.unstubAllGlobals());

function reading(initial: ChangeView) {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  const { result } = renderHook(() => useShownChange(initial.id, initial), { wrapper });
  return { result, arrives: (change: ChangeView) => act(() => { client.setQueryData(changeQuery(change.id).queryKey, change); }) };
}

test("figures that move while they are read are told, not swapped, until the reader looks again", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(moved)));
  const { result, arrives } = reading(shown);
  arrives(moved);
  await waitFor(() => expect(result.current.moved).toEqual([{ label: "Remaining", was: "£100.00", now: "£60.00" }]));
  expect(result.current.change?.payment.heldMinor).toBe("0");
  act(() => result.current.lookAgain());
  await waitFor(() => expect(result.current.change?.payment.heldMinor).toBe("4000"));
  expect(result.current.moved).toEqual([]);
});

test("a signature or an end moves no figures and is shown at once", async () => {
  const { result, arrives } = reading(shown);
  arrives({ ...shown, have: 1, revision: 2 });
  await waitFor(() => expect(result.current).toMatchObject({ change: { have: 1 }, moved: [] }));
  arrives({ ...moved, state: "rejected", revision: 3 });
  await waitFor(() => expect(result.current).toMatchObject({ change: { state: "rejected" }, moved: [] }));
});

test("what moved has words, whatever it was", () => {
  expect(movedFigures(shown, { ...shown, required: 2 })).toEqual([{ label: "Signatures needed", was: "1", now: "2" }]);
  expect(movedFigures(shown, { ...shown, factsDigest: "1".repeat(64) })).toHaveLength(1);
});
