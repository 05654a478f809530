import { signIn, signOut } from "next-auth/react";

export type SignInOutcome = "in" | "refused" | "unreachable";

/** Signs in with e-mail and password; leads nowhere by itself. */
export async function signInWith(email: string, password: string): Promise<SignInOutcome> {
  try {
    const answer = await signIn("credentials", { email, password, redirect: false });
    if (answer?.ok && !answer.error) return "in";
    return answer && (answer.status === 401 || answer.error === "CredentialsSignin") ? "refused" : "unreachable";
  } catch {
    return "unreachable";
  }
}

export const signOutHere = (): Promise<unknown> => signOut({ callbackUrl: "/sign-in" });

/** Where to go after signing in: a path of this origin, never another place. */
export function safeCallback(callbackUrl: string | undefined, fallback = "/changes"): string {
  if (!callbackUrl?.startsWith("/")) return fallback;
  const base = "http://origin.invalid";
  const url = URL.canParse(callbackUrl, base) ? new URL(callbackUrl, base) : null;
  return url?.origin === base && !url.pathname.startsWith("//") ? url.pathname + url.search + url.hash : fallback;
}
