import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Refused } from "@/lib/edge/form-state";
import { RefusedNote } from "./refused";

const refused: Refused = { status: "refused", code: "unavailable", message: "Something failed on our side. Reference 7f6c0b1e", fields: {}, moved: [] };

test("a refusal says what did not happen; a fault does not claim to know", () => {
  const { rerender } = render(<RefusedNote refused={{ ...refused, code: "last_admin", message: "A merchant keeps at least one admin" }} notDone="Nia was not removed." />);
  expect(screen.getByRole("alert")).toHaveTextContent("A merchant keeps at least one admin. Nia was not removed.");
  rerender(<RefusedNote refused={{ ...refused, reference: "7f6c0b1e" }} notDone="Nia was not removed." />);
  expect(screen.getByRole("alert")).toHaveTextContent(/^Something failed on our side. Reference 7f6c0b1e.$/);
});
