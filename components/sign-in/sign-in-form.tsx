"use client";

import { useActionState } from "react";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Glyph } from "@/components/ui/glyph";
import { safeCallback, signInWith, type SignInOutcome } from "@/lib/browser/sign-in";
import { ProviderButton } from "./provider-button";

const WORDS: Record<Exclude<SignInOutcome, "in">, string> = {
  refused: "E-mail and password do not match.",
  tooManyTries: "Too many tries. Wait a minute, then try again. You are not signed in.",
  unreachable: "No answer from the server. You are not signed in.",
};

/** What the way back from the identity provider says. */
const RETURNED: Record<string, string> = {
  not_invited: "You are known there, but have no place here. Ask an admin of your shop to add you by the e-mail you use there.",
  too_many_tries: WORDS.tooManyTries,
};
const OTHERWISE = "Signing in did not work there. You are not signed in.";

type State = { email: string; outcome: SignInOutcome | null };
type Props = { callbackUrl: string | undefined; /** Of an earlier try, elsewhere. */ error: string | null; provider: string | null };

export function SignInForm({ callbackUrl, error, provider }: Props) {
  const [state, submit, busy] = useActionState<State, FormData>(
    async (_before, form) => {
      const email = String(form.get("email"));
      const outcome = await signInWith(email, String(form.get("password")));
      // A full load: what an earlier visitor left in memory must not be shown to the next.
      if (outcome === "in") location.assign(safeCallback(callbackUrl));
      return { email, outcome };
    },
    { email: "", outcome: null },
  );
  const { outcome } = state;
  const refused = outcome === "refused";
  const said = outcome === null ? error && (Object.hasOwn(RETURNED, error) ? RETURNED[error] : OTHERWISE) : outcome === "in" ? null : WORDS[outcome];
  return (
    <form action={submit} className="mt-5 grid gap-4">
      <div role="alert" className="empty:hidden">
        {said && !busy && <p className="flex gap-1.5 text-failed"><Glyph name="warning" />{said}</p>}
      </div>
      <TextField label="E-mail" name="email" type="email" autoComplete="username" required key={state.email} defaultValue={state.email} aria-invalid={refused} />
      <TextField label="Password" name="password" type="password" autoComplete="current-password" required aria-invalid={refused} />
      <Button type="submit" look="primary" size="tall" aria-busy={busy} disabled={busy || outcome === "in"}>
        {busy || outcome === "in" ? "Signing in…" : "Sign in"}
      </Button>
      {provider && <ProviderButton provider={provider} callbackUrl={callbackUrl} />}
    </form>
  );
}
