"use server";

import { redirect } from "next/navigation";
import { publicAction } from "@/lib/edge/form-action";
import { keepSignIn } from "@/lib/edge/keep-sign-in";
import { currentCaller } from "@/lib/edge/request-context";
import { useSignInLink as spendLink } from "@/lib/identity/links";
import { PasswordInput } from "@/lib/identity/password-form";

/** Spends the link: sets the password, signs in here, and leads to the console. */
export const setPassword = publicAction(PasswordInput, async ({ token, password }) => {
  await keepSignIn(await spendLink(token, password, (await currentCaller())?.ctx ?? null));
  redirect("/changes");
});
