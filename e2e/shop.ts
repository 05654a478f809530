import { randomBytes } from "node:crypto";
import { AgentClient } from "../scripts/agent-client";
import type { PolicyRules } from "../lib/guardrails/schema";
import { hashPassword } from "../lib/identity/passwords";
import { makeMerchant, makeOrder, type TestMerchant, type TestOrder } from "../lib/testing/factories";
import { everyMerchant } from "../lib/testing/owner";
import { demo } from "./demo";

// The server's own database: shops and orders are made there, everything else goes through the doors that people and agents use.
process.env.DATABASE_URL = demo.databaseUrl;
process.env.DATABASE_OWNER_URL = demo.ownerDatabaseUrl;
process.env.UNDERSIGNED_POOL = "2";

export type Login = { email: string; password: string };
/** A shop of a test's own: Ines owns the agent's key, Maya and Tom are operators, Helen is its auditor. */
export type Shop = { merchant: TestMerchant; ines: Login; maya: Login; tom: Login; helen: Login; agent: Agent };

type Line = { title: string; quantity: number; paidMinor: bigint };
export type Order = TestOrder & { captured: bigint };
export type Ask = {
  lines?: { lineId: string; quantity: number; restock: "none" | "returned" | "cancelled" }[];
  shipping?: { amountMinor: string };
  amount?: { amountMinor: string; currency: string };
  reason?: string;
  note?: string;
};
export type Change = { id: string; state: string; required: number; digest: string; content: { total: string } };

const password = randomBytes(12).toString("base64url");
let hashed: Promise<string> | undefined;

export async function openShop(rules: Partial<PolicyRules> = {}): Promise<Shop> {
  const merchant = await makeMerchant(rules);
  const { admin, maya, tom, auditor } = merchant;
  const ids = [admin, maya, tom, auditor].map(({ personId }) => personId);
  await everyMerchant().person.updateMany({ where: { id: { in: ids } }, data: { passwordHash: await (hashed ??= hashPassword(password)) } });
  const persons = await everyMerchant().person.findMany({ where: { id: { in: ids } } });
  const login = (id: string): Login => ({ email: persons.find((person) => person.id === id)!.email, password });
  return { merchant, ines: login(admin.personId), maya: login(maya.personId), tom: login(tom.personId), helen: login(auditor.personId), agent: new Agent(merchant.agent.secret) };
}

/** An e-mail that nobody has yet. */
export const someEmail = (): string => `p-${randomBytes(6).toString("hex")}@shop.example`;

/** A paid order of the shop; £100.00 for one product where nothing else is said. */
export async function sell(shop: Shop, lines: Line[] = [{ title: "Oak bench", quantity: 1, paidMinor: 10_000n }], shippingMinor = 0n): Promise<Order> {
  const order = await makeOrder(shop.merchant.id, { lines, shippingMinor });
  return { ...order, captured: lines.reduce((sum, { paidMinor }) => sum + paidMinor, shippingMinor) };
}

/** An agent as a stranger would write one: a session, a read, a proposal, over HTTP. */
export class Agent {
  private readonly api: AgentClient;

  constructor(readonly secret: string) {
    this.api = new AgentClient(demo.url, secret, new AbortController().signal, () => undefined);
  }

  /** Reads the order in a session of its own, then proposes; by `amountMinor` where no lines are given. */
  async propose(order: TestOrder, ask: Ask | bigint): Promise<Change> {
    const { id: session } = await this.must<{ id: string }>("POST", "/api/v1/sessions");
    await this.must("GET", `/api/v1/orders/${order.id}`, { session });
    const wanted = typeof ask === "bigint" ? { amount: { amountMinor: String(ask), currency: "GBP" } } : ask;
    const body = { kind: "refund", orderId: order.id, reason: "damaged", ...wanted };
    return this.must("POST", "/api/v1/changes", { session, idempotencyKey: randomBytes(9).toString("base64url"), body });
  }

  private async must<T>(method: "GET" | "POST", path: string, call: { session?: string; idempotencyKey?: string; body?: unknown } = {}): Promise<T> {
    const answer = await this.api.call<T>(method, path, call);
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer.problem)}`);
    return answer.body;
  }
}
