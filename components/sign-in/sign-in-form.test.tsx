import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { SignInForm } from "./sign-in-form";

afterEach(() => vi.unstubAllGlobals());

/** The server as next-auth's own client sees it: `error` is what signing in was refused with. */
function serverRefuses(error: string): void {
  const answers: Record<string, unknown> = { providers: { credentials: { id: "credentials", type: "credentials" } }, csrf: { csrfToken: "token" }, credentials: { url: `http://localhost/sign-in?error=${error}` } };
  vi.stubGlobal("fetch", async (input: string) => {
    const asked = input.split("/").at(-1)!.split("?")[0]!;
    return Response.json(answers[asked] ?? {}, { status: asked === "credentials" ? 401 : 200 });
  });
}

async function tryIn(): Promise<void> {
  render(<SignInForm callbackUrl={undefined} error={null} provider={null} />);
  await userEvent.type(screen.getByLabelText("E-mail"), "maya@shop.example");
  await userEvent.type(screen.getByLabelText("Password"), "a guess");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
}

test("too many tries are named as such", async () => {
  serverRefuses("too_many_tries");
  await tryIn();
  expect(await screen.findByText("Too many tries. Wait a minute, then try again. You are not signed in.")).toBeVisible();
  expect(screen.getByLabelText("E-mail")).toHaveValue("maya@shop.example");
});

test("a wrong password and an unknown e-mail are one refusal", async () => {
  serverRefuses("CredentialsSignin");
  await tryIn();
  expect(await screen.findByText("E-mail and password do not match.")).toBeVisible();
});

test.each(["<img src=x onerror=alert(1)>", "\u202ereversed", "javascript:alert(1)", "__proto__", "constructor", "toString"])("what a link claims to be an error is not repeated: %s", (error) => {
  const { container } = render(<SignInForm callbackUrl="javascript:alert(1)" error={error} provider={null} />);
  expect(screen.getByRole("alert")).toHaveTextContent("Signing in did not work there. You are not signed in.");
  expect(container.innerHTML).not.toContain(error);
  expect(container.querySelector("img, a")).toBeNull();
});

test("the way back from an identity provider says who is not invited, and any other failure without a detail", () => {
  const { unmount } = render(<SignInForm callbackUrl={undefined} error="not_invited" provider="Shop ID" />);
  expect(screen.getByRole("alert")).toHaveTextContent("have no place here");
  expect(screen.getByRole("button", { name: "Continue with Shop ID" })).toBeVisible();
  unmount();
  render(<SignInForm callbackUrl={undefined} error="OAuthCallback" provider={null} />);
  expect(screen.getByRole("alert")).toHaveTextContent("Signing in did not work there. You are not signed in.");
  expect(screen.queryByRole("button", { name: /^Continue with/ })).toBeNull();
});
