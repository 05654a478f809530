import { expect, test as base, type Page } from "@playwright/test";
import { readFileSync } from "node:fs";

type Member = { role: "admin" | "operator" | "auditor"; email: string; password: string };
type Merchant = { merchant: { id: string; slug: string }; members: Member[]; agentKey: string };
export type Demo = Merchant & { url: string; agent: { id: string; ownerEmail: string }; databaseUrl: string; ownerDatabaseUrl: string; other: Merchant; /** Where the server was told that an identity provider is. */ oidc?: { issuer: string; clientId: string; clientSecret: string } };

/** The seeded server under test: the one that `npm test` started, else the running demo. */
export const demo = JSON.parse(readFileSync(process.env.DEMO_JSON ?? ".data/demo.json", "utf8")) as Demo;

/** A page fails its test when the browser reports an error of a script, or of the content security policy. */
export const test = base.extend<{ quiet: void }>({
  baseURL: demo.url,
  quiet: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      watch(page, complaints);
      await use();
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

/** Collects what the page's browser reports: errors of scripts, and of the content security policy. */
export function watch(page: Page, complaints: string[]): void {
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) complaints.push(message.text());
  });
}

export { expect };

/** The nth member of a role, from 0. */
export function member(role: Member["role"], nth = 0): Member {
  const found = demo.members.filter((candidate) => candidate.role === role)[nth];
  if (!found) throw new Error(`there is no ${role} ${nth}`);
  return found;
}

/** Signs in as a person would, and ends on the changes. */
export async function signIn(page: Page, { email, password }: Member): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/changes");
}
