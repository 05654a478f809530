"use client";

import { useActionState } from "react";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Glyph } from "@/components/ui/glyph";
import { safeCallback, signInWith, type SignInOutcome } from "@/lib/browser/sign-in";

const WORDS: Record<Exclude<SignInOutcome, "in">, string> = {
  refused: "E-mail and password do not match.",
  unreachable: "No answer from the server. You are not signed in.",
};

type State = { email: string; outcome: SignInOutcome | null };

export function SignInForm({ callbackUrl }: { callbackUrl: string | undefined }) {
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
  const failed = state.outcome === "refused" || state.outcome === "unreachable" ? state.outcome : null;
  return (
    <form action={submit} className="mt-5 grid gap-4">
      <div role="alert" className="empty:hidden">
        {failed && !busy && <p className="flex gap-1.5 text-failed"><Glyph name="warning" />{WORDS[failed]}</p>}
      </div>
      <TextField label="E-mail" name="email" type="email" autoComplete="username" required key={state.email} defaultValue={state.email} aria-invalid={failed === "refused"} />
      <TextField label="Password" name="password" type="password" autoComplete="current-password" required aria-invalid={failed === "refused"} />
      <Button type="submit" look="primary" size="tall" aria-busy={busy} disabled={busy || state.outcome === "in"}>
        {busy || state.outcome === "in" ? "Signing in…" : "Sign in"}
      </Button>
    </form>
  );
}
