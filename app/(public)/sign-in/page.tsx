import type { Metadata } from "next";
import { SingleSheet } from "@/components/shell/single-sheet";
import { SignInForm } from "@/components/sign-in/sign-in-form";
import { oidcName } from "@/lib/identity/oidc";

export const metadata: Metadata = { title: "Sign in" };

type Asked = { callbackUrl?: string | string[]; error?: string | string[] };

export default async function SignInPage({ searchParams }: { searchParams: Promise<Asked> }) {
  const { callbackUrl, error } = await searchParams;
  return (
    <SingleSheet title="Sign in" lead="What you approve from here carries your name.">
      <SignInForm callbackUrl={typeof callbackUrl === "string" ? callbackUrl : undefined} error={typeof error === "string" ? error : null} provider={oidcName()} />
    </SingleSheet>
  );
}
