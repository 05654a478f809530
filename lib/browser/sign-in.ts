import { signIn, signOut } from "next-auth/react";

export type SignInOutcome = "in" | "refused" | "tooManyTries" | "unreachable";

/** Signs in with e-mail and password; leads nowhere by itself. */
export async function signInWith(email: string, password: string): Promise<SignInOutcome> {
  try {
    const answer = await signIn("credentials", { email, password, redirect: false });
    if (answer?.ok && !answer.error) return "in";
    if (answer?.error === "too_many_tries") return "tooManyTries";
    return answer && (answer.status === 401 || answer.error === "CredentialsSignin") ? "refused" : "unreachable";
  } catch {
    return "unreachable";
  }
}

/** Leaves for the identity provider; false where the server did not answer. */
export const signInElsewhere = (callbackUrl: string): Promise<boolean> => signIn("oidc", { callbackUrl }).then(() => true, () => false);

export const signOutHere = (): Promise<unknown> => signOut({ callbackUrl: "/sign-in" });

/** Where to go after signing in: a path of this origin, never another place. */
export function safeCallback(callbackUrl: string | undefined, fallback = "/changes"): string {
  if (!callbackUrl?.startsWith("/")) return fallback;
  const base = "http://origin.invalid";
  const url = URL.canParse(callbackUrl, base) ? new URL(callbackUrl, base) : null;
  return url?.origin === base && !url.pathname.startsWith("//") ? url.pathname + url.search + url.hash : fallback;
}
