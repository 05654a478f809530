import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { formatMoney } from "../lib/kernel/money";
import type { CreditProposal } from "../prisma/credit-proposals";
import { AgentClient, type Answer } from "./agent-client";

// An ordinary client of the agent API: it proposes the shop's own credit notes as refunds, at a person's pace. DEMO_PACE multiplies the speed.

type Demo = { url: string; agentKey: string };
type Listed = { items: { id: string; number: string }[] };
type Order = { id: string; number: string; currency: string; lines: { id: string; title: string }[]; payment: { capturedMinor: string } };
type Change = { id: string; state: string; required: number; content: { total: string; currency: string } };
type Policy = { rules: { max_refund_amount?: Record<string, string> } };

const PACE_MS = 20_000;
/** A fresh demo has something to decide within seconds. */
const AT_ONCE = 12;
/** One session serves so many credit notes, as one would a shift. */
const NOTES_PER_SESSION = 8;
/** Of the orders larger than an agent may refund, one in so many is first proposed in full, as an eager agent would. */
const EAGER = 7;

const stopping = new AbortController();
const say = (line: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`);
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stopping.abort());

function settings(): Demo {
  const { UNDERSIGNED_URL: url, UNDERSIGNED_AGENT_KEY: agentKey } = process.env;
  return url && agentKey ? { url, agentKey } : (JSON.parse(readFileSync(".data/demo.json", "utf8")) as Demo);
}

/** The session lapsed: whatever was read in it must be read again in another. */
class SessionGone extends Error {}

class DemoAgent {
  private session = "";
  private inSession = 0;
  private proposed = 0;
  private refundCap: Record<string, string> = {};

  constructor(private readonly api: AgentClient, private readonly paceMs: number) {}

  async run(proposals: readonly CreditProposal[]): Promise<void> {
    const policy = await this.api.call<Policy>("GET", "/api/v1/policy");
    if (!policy.ok) throw new Error(`GET /api/v1/policy: ${policy.problem.code}`);
    this.refundCap = policy.body.rules.max_refund_amount ?? {};
    for (const proposal of proposals) {
      const fresh = await this.propose(proposal).catch((error: unknown) => {
        if (!(error instanceof SessionGone)) throw error;
        this.session = "";
        return this.propose(proposal);
      });
      this.proposed++;
      if (fresh && this.proposed >= AT_ONCE) await sleep(this.paceMs * (0.6 + Math.random() * 0.8), undefined, { signal: stopping.signal });
      if (stopping.signal.aborted) return;
    }
    say(`all ${proposals.length} are proposed; nothing more to do`);
  }

  /** Whether it was staged, and not before. */
  private async propose(proposal: CreditProposal): Promise<boolean> {
    const what = `${proposal.creditNote} on order ${proposal.order}`;
    await this.enterSession();
    const order = await this.readOrder(proposal.order);
    if (!order) { say(`${what}: there is no such order`); return false; }
    const lines = proposal.lines.map(({ index, title, quantity }) => {
      const line = order.lines[index];
      return line?.title === title ? { lineId: line.id, quantity, restock: proposal.restock } : null;
    });
    if (lines.includes(null)) { say(`${what}: its lines are not the credit note's`); return false; }
    const { reason, note, evidence, shippingMinor, creditNote } = proposal;
    if (this.isEager(proposal, order)) await this.proposeInFull(order, creditNote);
    return this.stage(what, `${creditNote}-${order.number}`, {
      kind: "refund", orderId: order.id, reason, note,
      ...(lines.length > 0 && { lines }),
      ...(shippingMinor && { shipping: { amountMinor: shippingMinor } }),
      ...(evidence.length > 0 && { evidence }),
    });
  }

  private isEager({ creditNote }: CreditProposal, { currency, payment }: Order): boolean {
    const cap = this.refundCap[currency];
    return cap !== undefined && BigInt(payment.capturedMinor) > BigInt(cap) && Number(creditNote.replace(/\D/g, "")) % EAGER === 0;
  }

  private async proposeInFull(order: Order, creditNote: string): Promise<void> {
    const amount = { amountMinor: order.payment.capturedMinor, currency: order.currency };
    await this.stage(`${creditNote} on order ${order.number}, in full`, `${creditNote}-${order.number}-in-full`, {
      kind: "refund", orderId: order.id, amount, reason: "goodwill", note: "The customer is upset. Refund the whole order.",
    });
  }

  private async stage(what: string, idempotencyKey: string, body: object): Promise<boolean> {
    const answer = await this.ask<Change>("POST", "/api/v1/changes", { idempotencyKey, body });
    say(`${what}: ${outcome(answer)}`);
    return answer.ok && !answer.replayed;
  }

  private async enterSession(): Promise<void> {
    if (this.session && this.inSession++ < NOTES_PER_SESSION) return;
    const answer = await this.api.call<{ id: string }>("POST", "/api/v1/sessions");
    if (!answer.ok) throw new Error(`POST /api/v1/sessions: ${answer.problem.code}`);
    this.session = answer.body.id;
    this.inSession = 1;
  }

  /** The list finds the order by its number; only the order itself proves its lines to the session. */
  private async readOrder(number: string): Promise<Order | null> {
    const list = await this.ask<Listed>("GET", `/api/v1/orders?query=${encodeURIComponent(number)}`);
    const id = list.ok ? list.body.items.find((item) => item.number === number)?.id : undefined;
    const order = id ? await this.ask<Order>("GET", `/api/v1/orders/${id}`) : null;
    return order?.ok ? order.body : null;
  }

  private async ask<T>(method: "GET" | "POST", path: string, call: { idempotencyKey?: string; body?: object } = {}): Promise<Answer<T>> {
    const answer = await this.api.call<T>(method, path, { ...call, session: this.session });
    if (!answer.ok && answer.problem.code === "session_not_found") throw new SessionGone();
    return answer;
  }
}

function outcome(answer: Answer<Change>): string {
  if (answer.ok) {
    const { id, state, required, content: { total, currency } } = answer.body;
    const amount = formatMoney({ amountMinor: BigInt(total), currency });
    return answer.replayed ? `${amount} was proposed before, ${id}` : `${amount} ${state}, ${id}, needs ${required}`;
  }
  const { code, violations = [] } = answer.problem;
  return [`refused, ${code}`, ...violations.map(({ rule, cap, actual }) => `${rule} is ${cap}, this is ${actual}`)].join("; ");
}

async function main(): Promise<void> {
  const { url, agentKey } = settings();
  const proposals = JSON.parse(readFileSync(process.env.CREDIT_NOTES ?? ".data/credit-notes.json", "utf8")) as CreditProposal[];
  const pace = Number(process.env.DEMO_PACE ?? 1);
  if (!(pace > 0)) throw new Error(`DEMO_PACE must be above 0: ${process.env.DEMO_PACE}`);
  const idle = setInterval(() => undefined, 60_000);
  stopping.signal.addEventListener("abort", () => clearInterval(idle));
  await new DemoAgent(new AgentClient(url, agentKey, stopping.signal, say), PACE_MS / pace).run(proposals);
}

main().catch((error: Error) => {
  if (error.name === "AbortError") return say("stopped");
  console.error(error.message);
  process.exit(1);
});
