import { expect, test } from "vitest";
import { TRANSITIONS } from "../audit/transitions";
import { LIFECYCLE } from "./lifecycle";

test("the verifier's own copy of the lifecycle agrees with the one that moves changes", () => {
  for (const { from, to, entry } of Object.values(LIFECYCLE)) expect({ entry, from: TRANSITIONS[entry].from, to: TRANSITIONS[entry].to }).toEqual({ entry, from, to });
});
