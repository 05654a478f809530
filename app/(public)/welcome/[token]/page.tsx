import type { Metadata } from "next";
import Link from "next/link";
import { SingleSheet } from "@/components/shell/single-sheet";
import { buttonClass } from "@/components/ui/button";
import { PasswordForm } from "@/components/welcome/password-form";
import { currentCaller } from "@/lib/edge/request-context";
import { readSignInLink } from "@/lib/identity/links";
import { SHORTEST_PASSWORD } from "@/lib/identity/password-form";
import { setPassword } from "./actions";

// The address is a secret: it is sent to nobody and kept by no search.
export const metadata: Metadata = { title: "Welcome", referrer: "no-referrer", robots: { index: false, follow: false } };

/** Looking spends nothing: only the form does. */
export default async function WelcomePage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const link = await readSignInLink(token);
  if (!link) {
    return (
      <SingleSheet title="This link has ended" lead="It was used already, or is too old. A link works once, for three days.">
        <p className="mt-4">Ask an admin of your shop for a new one. If you have set a password, sign in with it.</p>
        <p className="mt-5"><Link href="/sign-in" className={buttonClass("primary", "tall")}>Go to sign in</Link></p>
      </SingleSheet>
    );
  }
  const caller = await currentCaller();
  if (caller && caller.person.id !== link.personId) {
    return (
      <SingleSheet title={`This link is for ${link.name}`} lead={`You are signed in as ${caller.person.name}.`}>
        <p className="mt-4">What is approved under a name has to come from that person. Hand the link over, or sign out first if you share this browser.</p>
        <p className="mt-5"><Link href="/changes" className={buttonClass("primary", "tall")}>Back to the changes</Link></p>
      </SingleSheet>
    );
  }
  return (
    <SingleSheet title={`Welcome, ${link.name}`} lead={`Set the password by which you sign in at ${link.merchant}.`}>
      <PasswordForm action={setPassword} token={token} email={link.email} shortest={SHORTEST_PASSWORD} />
    </SingleSheet>
  );
}
