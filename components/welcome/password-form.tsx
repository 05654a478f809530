"use client";

import { RefusedNote } from "@/components/forms/refused";
import { useForm, type FormAction } from "@/components/forms/use-form";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";

/** A new password, twice. The e-mail stands in the form for who keeps passwords by it. */
export function PasswordForm({ action, token, email, shortest }: { action: FormAction<never>; token: string; email: string; shortest: number }) {
  const { busy, refused, errorOf, form } = useForm(action, () => undefined);
  return (
    <form {...form} className="mt-5 grid gap-4">
      <RefusedNote refused={refused?.code === "invalid_input" ? null : refused} notDone="No password was set." />
      <input type="hidden" name="token" value={token} />
      <TextField label="E-mail" type="email" autoComplete="username" readOnly value={email} />
      <TextField label="New password" name="password" type="password" autoComplete="new-password" hint={`At least ${shortest} characters.`} error={errorOf("password")} />
      <TextField label="The same again" name="again" type="password" autoComplete="new-password" error={errorOf("again")} />
      <Button type="submit" look="primary" size="tall" aria-busy={busy} disabled={busy}>{busy ? "Signing in…" : "Set the password and sign in"}</Button>
    </form>
  );
}
