import { parseArgs } from "node:util";
import { ROLES, type Ctx, type Role, type SystemActor } from "../lib/kernel/context";
import { Refusal } from "../lib/kernel/refusal";
import { closeDatabase } from "../lib/database/client";
import { databaseNow, sqlState } from "../lib/database/transactions";
import { makeSignInLink } from "../lib/identity/links";
import { addMember, type AddedMember } from "../lib/identity/members";
import { listMerchants, openMerchant } from "../lib/identity/merchants";
import { DEFAULT_RULES } from "../lib/guardrails/schema";
import { besideDemo } from "./demo-environment";

const USAGE = `npm run merchant -- create --name NAME --admin-email EMAIL [--slug SLUG] [--admin-name NAME] [--time-zone ZONE]
npm run merchant -- invite --merchant SLUG --email EMAIL --role admin|operator|auditor [--name NAME]
npm run merchant -- link --merchant SLUG --email EMAIL
npm run merchant -- list          (on DATABASE_URL, or the running demo's database)`;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const UNIQUE_VIOLATION = "23505";

class Told extends Error {}

async function main(): Promise<void> {
  const { command, values } = read();
  besideDemo();
  if (!process.env.DATABASE_URL) throw new Told("DATABASE_URL is not set: the database by the application's login.");
  switch (command) {
    case "create": return create(values);
    case "invite": return invite(values);
    case "link": return link(values);
    case "list": return list();
    default: throw new Told(USAGE);
  }
}

type Values = { name?: string; slug?: string; merchant?: string; email?: string; role?: string; "admin-email"?: string; "admin-name"?: string; "time-zone"?: string };

function read(): { command: string | undefined; values: Values } {
  const text = { type: "string" } as const;
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { name: text, slug: text, merchant: text, email: text, role: text, "admin-email": text, "admin-name": text, "time-zone": text },
    });
    return { command: positionals.length === 1 ? positionals[0] : undefined, values };
  } catch (error) {
    throw new Told(`${(error as Error).message}\n${USAGE}`);
  }
}

/** The merchant, its log and policy, its first admin, and that admin's way in. What an earlier try left unfinished is finished. */
async function create({ name, "admin-email": email, "admin-name": adminName, "time-zone": timeZone = "UTC", slug = slugOf(name ?? "") }: Values): Promise<void> {
  if (!name?.trim() || !email) throw new Told(USAGE);
  if (!EMAIL.test(email)) throw new Told(`"${email}" is not an e-mail address.`);
  if (!/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(slug)) throw new Told(`"${slug}" is no slug: 1 to 40 of a-z, 0-9 and "-". Name one with --slug.`);
  if (!isTimeZone(timeZone)) throw new Told(`"${timeZone}" is no time zone such as Europe/London.`);
  const origin = consoleUrl();
  const begun = (await listMerchants()).find((each) => each.slug === slug);
  const merchant = begun ?? (await openMerchant({ slug, name: name.trim(), timeZone, rules: DEFAULT_RULES }));
  const { elsewhere } = await place(merchant.id, { email, name: adminName, role: "admin" }, `The merchant "${slug}" exists already, with ${email} in it.`, slug);
  console.log(`${begun ? "Added to" : "Made"} the merchant "${slug}" (${merchant.id}), with ${email} as admin.`);
  await tellWayIn(merchant.id, email, elsewhere, origin);
}

/** A place for a person, who may have one at another merchant: then they keep the password they have, and change shops in the console. */
async function invite({ merchant: slug, email, name, role }: Values): Promise<void> {
  if (!slug || !email || !role) throw new Told(USAGE);
  if (!EMAIL.test(email)) throw new Told(`"${email}" is not an e-mail address.`);
  if (!isRole(role)) throw new Told(`"${role}" is no role: ${ROLES.join(", ")}.`);
  const origin = consoleUrl();
  const { id } = await merchantOf(slug);
  const { elsewhere } = await place(id, { email, name, role }, `${email} is a member of "${slug}" already.`, slug);
  console.log(`Added ${email} to the merchant "${slug}" as ${role}.`);
  await tellWayIn(id, email, elsewhere, origin);
}

async function place(merchantId: string, { email, name, role }: { email: string; name: string | undefined; role: Role }, taken: string, slug: string): Promise<AddedMember> {
  return addMember(await setup(merchantId), { email, name: name?.trim() || email.split("@")[0]!, role }).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === "invalid_input") throw new Told(`${taken} A new way in: npm run merchant -- link --merchant ${slug} --email ${email}`);
    throw error;
  });
}

async function link({ merchant: slug, email }: Values): Promise<void> {
  if (!slug || !email) throw new Told(USAGE);
  await tellLink((await merchantOf(slug)).id, email, consoleUrl());
}

async function merchantOf(slug: string): Promise<{ id: string }> {
  const merchant = (await listMerchants()).find((each) => each.slug === slug);
  if (!merchant) throw new Told(`There is no merchant "${slug}".`);
  return merchant;
}

async function tellWayIn(merchantId: string, email: string, elsewhere: boolean, origin: string): Promise<void> {
  if (elsewhere) console.log("They have a place at another merchant already: they sign in as they do there, and change shops in the console.");
  else await tellLink(merchantId, email, origin);
}

async function tellLink(merchantId: string, email: string, origin: string): Promise<void> {
  try {
    const { path, expiresAt } = await makeSignInLink(await setup(merchantId), email.trim().toLowerCase());
    console.log(`\n  ${origin}${path}\n\nThis link sets a password and signs in, once, until ${expiresAt.toISOString()}. It is shown only here.`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Told(error.code === "not_found" ? `${email} is no member of this merchant.` : `No link was made for ${email}: ${error.message}.`);
  }
}

async function list(): Promise<void> {
  for (const { id, slug } of await listMerchants()) console.log(`${id}  ${slug}`);
}

const setup = async (merchantId: string): Promise<Ctx<SystemActor>> => ({ merchantId, actor: { kind: "system", id: "setup" }, now: await databaseNow(), requestId: "npm run merchant" });

const isRole = (role: string): role is Role => (ROLES as readonly string[]).includes(role);

const slugOf = (name: string): string => name.normalize("NFKD").toLowerCase().replace(/[\u0300-\u036f]/g, "").replace(/[^a-z0-9]+/g, "-").slice(0, 40).replace(/^-|-$/g, "");

const isTimeZone = (zone: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: zone }));
  } catch {
    return false;
  }
};

function consoleUrl(): string {
  const url = process.env.UNDERSIGNED_URL;
  if (!url) throw new Told("UNDERSIGNED_URL is not set: where people reach the console, such as https://approvals.example.com.");
  return url.replace(/\/$/, "");
}

await main()
  .catch((error: Error & { code?: string }) => {
    const told = error instanceof Told ? error.message : sqlState(error) === UNIQUE_VIOLATION ? "Another merchant took this slug a moment ago." : `Nothing was made: ${error.message || error.code}`;
    console.error(told);
    process.exitCode = 1;
  })
  .finally(closeDatabase);
