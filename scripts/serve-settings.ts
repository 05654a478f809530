import { existsSync } from "node:fs";
import { join } from "node:path";
import { trustedProxies } from "../lib/edge/server/peer";

const SECRET_CHARACTERS = 32;

/** What the environment lacks before the server may start, a sentence each. */
export function settingProblems(env: NodeJS.ProcessEnv): string[] {
  const problems: string[] = [];
  if (!env.DATABASE_URL) problems.push("DATABASE_URL is not set: the database by the application's login.");
  if (!env.NEXTAUTH_SECRET) problems.push("NEXTAUTH_SECRET is not set: at least 32 random characters, for example from `openssl rand -base64 32`.");
  else if (env.NEXTAUTH_SECRET.length < SECRET_CHARACTERS) problems.push(`NEXTAUTH_SECRET has ${env.NEXTAUTH_SECRET.length} characters and needs at least ${SECRET_CHARACTERS}.`);
  if (!env.UNDERSIGNED_URL) problems.push("UNDERSIGNED_URL is not set: where people reach the console, such as https://approvals.example.com.");
  else if (!isOrigin(env.UNDERSIGNED_URL)) problems.push(`UNDERSIGNED_URL is "${env.UNDERSIGNED_URL}" and must be a scheme and a host, such as https://approvals.example.com.`);
  const port = Number(env.PORT ?? 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) problems.push(`PORT is "${env.PORT}" and must be a number from 1 to 65535.`);
  const oidc = ["ISSUER", "CLIENT_ID", "CLIENT_SECRET"].map((name) => `UNDERSIGNED_OIDC_${name}`);
  const missing = oidc.filter((name) => !env[name]);
  if (missing.length > 0 && missing.length < oidc.length) problems.push(`${missing.join(" and ")} must be set with the other UNDERSIGNED_OIDC_ settings.`);
  try {
    trustedProxies(env.UNDERSIGNED_TRUSTED_PROXIES ?? "");
  } catch (error) {
    problems.push((error as Error).message);
  }
  if (!existsSync(join(env.NEXT_DIST_DIR ?? ".next", "BUILD_ID"))) problems.push('There is no build: run "npm run build".');
  return problems;
}

function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && text.replace(/\/$/, "") === url.origin;
}
