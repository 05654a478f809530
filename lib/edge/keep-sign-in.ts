import { cookies } from "next/headers";
import { sealSignIn } from "../identity/auth";
import type { SignInToken } from "../identity/sign-ins";

/** Puts a sign-in that was opened elsewhere than at the sign-in page into this browser's cookie. */
export async function keepSignIn(token: SignInToken): Promise<void> {
  (await cookies()).set(await sealSignIn(token));
}
