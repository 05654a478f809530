import { beforeEach, expect, test, vi } from "vitest";
import { Refusal } from "../kernel/refusal";
import { authOptions } from "./auth";
import { signInWithIdentity, signInWithPassword } from "./sign-ins";

vi.mock("./sign-ins");

const faults: unknown[] = [];
beforeEach(() => { faults.length = 0; });

const { providers, callbacks } = authOptions((error) => void faults.push(error));
const { authorize } = providers[0]!.options as { authorize: (credentials: object, request: object) => Promise<unknown> };
/** What next-auth shows the caller: the message of what was thrown. */
const byPassword = () => authorize({ email: "maya@shop.example", password: "a guess" }, { headers: {} }).then(() => "in", ({ message }: Error) => message);
const byProvider = () => callbacks!.signIn!({ user: { id: "1" }, account: { type: "oauth", provider: "oidc", providerAccountId: "1" }, profile: { sub: "1" } });

const fault = new Error("select failed for maya@shop.example");

test("a fault of a sign-in goes to the log, and to the caller only as one", async () => {
  vi.mocked(signInWithPassword).mockRejectedValueOnce(fault);
  expect(await byPassword()).toBe("unavailable");
  vi.mocked(signInWithIdentity).mockRejectedValueOnce(fault);
  expect(await byProvider()).toBe("/sign-in?error=unavailable");
  expect(faults).toEqual([fault, fault]);
});

test("a refusal is told as its code, and is no fault", async () => {
  vi.mocked(signInWithPassword).mockRejectedValueOnce(new Refusal("too_many_tries"));
  expect(await byPassword()).toBe("too_many_tries");
  vi.mocked(signInWithIdentity).mockResolvedValueOnce(null);
  expect(await byProvider()).toBe("/sign-in?error=not_invited");
  vi.mocked(signInWithIdentity).mockResolvedValueOnce({ merchantId: "mer-1", signInId: "s", personId: "per-1" });
  expect(await byProvider()).toBe(true);
  expect(faults).toEqual([]);
});
