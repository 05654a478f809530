import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import type { Ctx, PersonActor } from "../kernel/context";
import { tokenFromCookies } from "../identity/auth";
import { readSignIn, type SignedIn } from "../identity/sign-ins";
import { currentRequestId, note } from "./request-notes";

export type Caller = { ctx: Ctx<PersonActor>; person: SignedIn["person"]; merchant: SignedIn["merchant"] };

/** The signed-in person of this request, read from the database, or null. */
export async function currentCaller(requestId: string = currentRequestId()): Promise<Caller | null> {
  const jar = await cookies();
  const token = await tokenFromCookies((name) => jar.get(name)?.value);
  const signedIn = token && (await readSignIn(token));
  if (!signedIn) return null;
  const { person, merchant, role, signInId, now } = signedIn;
  note({ merchant: merchant.id, actor: "person" });
  return { ctx: { merchantId: merchant.id, actor: { kind: "person", id: person.id, role, signInId }, now, requestId }, person, merchant };
}

/** For pages: the signed-in person, or away to the sign-in page. */
export async function requireContext(): Promise<Caller> {
  return (await currentCaller()) ?? redirect("/sign-in");
}
