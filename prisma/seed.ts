import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { passedFolder } from "../scripts/private.mjs";
import { closeDatabase, tenant } from "../lib/database/client";
import { databaseNow } from "../lib/database/transactions";
import { DEFAULT_RULES } from "../lib/guardrails/schema";
import { createAgent, createKey, secretHash } from "../lib/identity/agents";
import { addMember } from "../lib/identity/members";
import { listMerchants, openMerchant } from "../lib/identity/merchants";
import type { Ctx, Role, SystemActor } from "../lib/kernel/context";
import { importShop } from "../lib/platforms/store/import";
import { readOnlineRetail } from "../lib/platforms/store/online-retail-file";
import type { Shop } from "../lib/platforms/store/shop";
import { creditProposals } from "./credit-proposals";
import { HARBOUR_SHOP, REGENT_SHOP, sampleShop } from "./sample-shop";

type Member = { role: Role; email: string; password: string; name: string };
type Seeded = { merchant: { id: string; slug: string }; members: Member[]; agentKey: string; agent: { id: string; ownerEmail: string } };
/** What the seed remembers, so that it can go on where it was broken off, and others can sign in. */
type Memory = Seeded & { other: Seeded; shop: string };

type Plan = { slug: string; name: string; domain: string; people: readonly (readonly [Role, string])[]; agent: string };

const REGENT: Plan = {
  slug: "regent", name: "Regent Gift Co.", domain: "regentgift.example", agent: "returns-desk",
  people: [["admin", "Ines Carvalho"], ["operator", "Maya Lindqvist"], ["operator", "Tom Adeyemi"], ["auditor", "Helen Marsh"]],
};
const HARBOUR: Plan = {
  slug: "harbour", name: "Harbour Lane", domain: "harbourlane.example", agent: "shop-helper",
  people: [["admin", "Priya Nair"], ["operator", "Callum Rhys"]],
};
const ZONE = "Europe/London";
const KEY_DAYS = 365;

/** Seeds two merchants, the first from `data` where it is given, and leaves logins, keys and credit notes in `folder`. Running it again keeps what is there. */
async function seed(folder: string, data: string | undefined): Promise<void> {
  passedFolder(folder);
  const file = join(folder, "seed.json");
  const memory = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Memory) : { ...begin(REGENT), other: begin(HARBOUR), shop: "" };
  const save = (): void => writePrivately(file, memory);
  save();
  await settle(REGENT, memory, save);
  await settle(HARBOUR, memory.other, save);
  await stock(memory, data, join(folder, "credit-notes.json"));
  save();
}

function begin({ domain, slug, people }: Plan): Seeded {
  const members = people.map(([role, name]): Member => ({ role, email: `${name.split(" ")[0]?.toLowerCase()}@${domain}`, password: randomBytes(9).toString("base64url"), name }));
  return { merchant: { id: "", slug }, members, agentKey: "", agent: { id: "", ownerEmail: members[0]?.email ?? "" } };
}

async function settle({ slug, name, agent: agentName }: Plan, seeded: Seeded, save: () => void): Promise<void> {
  const merchant = (await listMerchants()).find((each) => each.slug === slug);
  if (merchant && merchant.id !== seeded.merchant.id && (await tenant(merchant.id).member.count({ where: { merchantId: merchant.id } })) > 0) {
    throw new Error(`The merchant "${slug}" is there, but its logins are not the ones kept; start over with --reset.`);
  }
  seeded.merchant.id = merchant?.id ?? (await openMerchant({ slug, name, timeZone: ZONE, rules: DEFAULT_RULES })).id;
  save();
  const ctx = await setup(seeded.merchant.id);
  for (const { role, email, password, name: person } of seeded.members) {
    if (!(await isMember(ctx.merchantId, email))) await addMember(ctx, { role, email, password, name: person });
  }
  const known = await tenant(ctx.merchantId).agent.findFirst({ where: { merchantId: ctx.merchantId, name: agentName } });
  seeded.agent.id = known?.id ?? (await createAgent(ctx, { name: agentName })).id;
  if (await tenant(ctx.merchantId).agentKey.findUnique({ where: { secretHash: secretHash(seeded.agentKey) } })) return;
  const owner = await tenant(ctx.merchantId).person.findUniqueOrThrow({ where: { email: seeded.agent.ownerEmail } });
  const expiresAt = new Date(ctx.now.getTime() + KEY_DAYS * 86_400_000);
  seeded.agentKey = (await createKey(ctx, { agentId: seeded.agent.id, ownerId: owner.id, scopes: ["read", "stage:refund", "log:read"], expiresAt })).secret;
  save();
}

async function setup(merchantId: string): Promise<Ctx<SystemActor>> {
  return { merchantId, actor: { kind: "system", id: "setup" }, now: await databaseNow(), requestId: "seed" };
}

async function isMember(merchantId: string, email: string): Promise<boolean> {
  return (await tenant(merchantId).member.count({ where: { merchantId, person: { email } } })) > 0;
}

/** The shops are written once; `memory.shop` says from what, when all of it is there. */
async function stock(memory: Memory, data: string | undefined, creditNotes: string): Promise<void> {
  const from = data ? "online-retail" : memory.shop || "sample";
  const runs = await tenant(memory.merchant.id).importRun.findMany({ where: { merchantId: memory.merchant.id } });
  if (runs.length > 0 && !runs.some(({ source }) => source === from)) throw new Error("This demo was seeded from another shop; start over with --reset.");
  if (memory.shop === from && runs.length > 0 && existsSync(creditNotes)) return;
  const shop = data ? readOnlineRetail(data) : sampleShop(REGENT_SHOP);
  await write(memory.merchant.id, REGENT.name, shop);
  await write(memory.other.merchant.id, HARBOUR.name, sampleShop(HARBOUR_SHOP));
  writePrivately(creditNotes, creditProposals(shop));
  memory.shop = from;
}

async function write(merchantId: string, name: string, shop: Shop): Promise<void> {
  const { takenMinor } = await importShop(merchantId, shop);
  if (takenMinor !== shop.countedMinor) throw new Error(`${name}: ${takenMinor} was taken, ${shop.countedMinor} counted.`);
  console.log(`${name}: ${shop.orders.length} orders, ${shop.creditNotes.length} credit notes`);
}

/** Whole or not at all, and only for its owner. */
function writePrivately(path: string, value: object): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

const { values: { data, out } } = parseArgs({ options: { data: { type: "string" }, out: { type: "string", default: ".data" } } });
seed(out, data)
  .catch((error: Error & { code?: string }) => {
    console.error(error.code === "ENOENT" ? `There is no such file: ${data}` : error.message);
    process.exitCode = 1;
  })
  .finally(closeDatabase);
