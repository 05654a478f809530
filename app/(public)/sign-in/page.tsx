import type { Metadata } from "next";
import { SignInForm } from "@/components/sign-in/sign-in-form";
import { Wordmark } from "@/components/marks/mark";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: { searchParams: Promise<{ callbackUrl?: string | string[] }> }) {
  const { callbackUrl } = await searchParams;
  return (
    <main className="grid min-h-dvh place-items-center p-6 phone:p-4">
      <div className="margin-rule margin-rule-wide relative w-full max-w-[27rem] border border-rule-strong bg-sheet pt-6 pr-8 pb-6 pl-17 phone:py-5 phone:pr-4 phone:pl-9">
        <Wordmark />
        <h1 className="mt-7 font-serif text-2xl">Sign in</h1>
        <p className="mt-0.5 text-ink-2">What you approve from here carries your name.</p>
        <SignInForm callbackUrl={typeof callbackUrl === "string" ? callbackUrl : undefined} />
      </div>
    </main>
  );
}
