import { setTimeout as sleep } from "node:timers/promises";
import type { PersonActor } from "../../kernel/context";
import type { RefusalCode } from "../../kernel/refusal";
import type { TestPerson } from "../factories";
import type { Acknowledged, Books, Proposal } from "./books";
import type { Asked, Form } from "./decide";
import type { People } from "./people";
import type { Shop } from "./shop";

export type Load = {
  shops: readonly Shop[];
  books: Books;
  random: () => number;
  people: People;
  /** Addresses of the processes that answer now. */
  urls: () => readonly string[];
  /** Whether another operation may begin. */
  more: () => boolean;
  /** Of a hundred operations: how many stage, approve, reject, retract, withdraw. */
  mix: { stage: number; approve: number; reject: number; retract: number; withdraw: number };
  /** The share of proposals that are sent twice at once, to two processes. */
  doubled: number;
  /** The chance of giving up after an answer was lost. */
  giveUp: number;
};

type Session = { id: string; read: Set<string> };
type Sessions = Map<Shop, Session>;
type Heard = { status: number; body: { id?: string; code?: RefusalCode; form?: Form; done?: true; fault?: string } };
const TRIES = 200;
const PATIENCE_MS = 120_000;
const COME_AGAIN: readonly string[] = ["session_busy", "idempotency_in_progress", "unavailable", "rate_limited"];

/** One caller after the other's operation, until there is to be no more. */
export async function callUntilDone(load: Load, caller: number): Promise<void> {
  const sessions = new Map<Shop, Session>();
  for (let n = 0; load.more(); n++) {
    load.books.trials++;
    load.books.inFlight++;
    await operate(load, sessions, `${caller}-${n}`).finally(() => {
      load.books.inFlight--;
      load.books.ended++;
    });
  }
}

async function operate(load: Load, sessions: Sessions, name: string): Promise<void> {
  const { mix, books, random } = load;
  const draw = random() * 100;
  const taken = draw >= mix.stage && books.open.length > 0 ? books.open.splice(Math.floor(random() * books.open.length), 1)[0]! : null;
  if (!taken) return propose(load, sessions, name);
  const past = draw - mix.stage;
  if (past < mix.approve) return decideOn(load, taken, "approve");
  if (past < mix.approve + mix.reject) return decideOn(load, taken, "reject");
  if (past < mix.approve + mix.reject + mix.retract) {
    await decideOn(load, taken, "approve");
    return decideOn(load, taken, "retract");
  }
  return withdraw(load, sessions, taken);
}

async function propose(load: Load, sessions: Sessions, name: string): Promise<void> {
  const shop = pick(load.shops, load.random);
  const order = pick(shop.orders, load.random);
  const session = await sessionOf(load, sessions, shop);
  await read(load, shop, session, order.id);
  const ask = load.random() < 0.5
    ? { amount: { amountMinor: String(1 + Math.floor(load.random() * 300)), currency: "GBP" } }
    : { lines: order.lineIds.slice(0, 1 + Math.floor(load.random() * 3)).map((lineId) => ({ lineId, quantity: 1, restock: "none" })) };
  const proposal: Proposal = { shop, key: name, session: session.id, body: JSON.stringify({ kind: "refund", orderId: order.id, reason: "damaged", ...ask }) };
  const times = load.random() < load.doubled ? 2 : 1;
  await Promise.all(Array.from({ length: times }, (_, n) => sendProposal(load, proposal, n)));
}

/** Sends a proposal until it is answered, or gives up on a lost answer. */
export async function sendProposal(load: Load, proposal: Proposal, at = 0): Promise<void> {
  const headers = { authorization: `Bearer ${proposal.shop.merchant.agent.secret}`, "content-type": "application/json", "undersigned-session": proposal.session, "idempotency-key": proposal.key };
  const { status, body } = await insist(load, "/api/v1/changes", { method: "POST", headers, body: proposal.body }, at);
  if (status === 201) return load.books.acknowledge(proposal, body.id!);
  if (status === 0) load.books.abandoned.push(proposal);
  load.books.refuse(body.code ?? "unanswered");
}

async function decideOn(load: Load, { shop, changeId }: Acknowledged, verb: Asked["verb"]): Promise<void> {
  const person = pick([shop.merchant.maya, shop.merchant.tom], load.random);
  for (let look = 0; look < 20; look++) {
    const seen = await ask(load, shop, person, "look", { changeId, seenDigest: "", seenFactsDigest: "" });
    if (!seen.body.form) return load.books.refuse(seen.body.code ?? "unanswered");
    const { body } = await ask(load, shop, person, verb, seen.body.form);
    if (body.done) { if (verb === "approve") load.books.approved.push({ shop, changeId }); return; }
    if (body.code !== "facts_moved") return load.books.refuse(body.code ?? "unanswered");
  }
}

async function ask(load: Load, shop: Shop, person: TestPerson, verb: Asked["verb"], form: Form): Promise<Heard> {
  const asked: Asked = { merchantId: shop.merchant.id, person: person.actor satisfies PersonActor, verb, form };
  const { path, init, hear } = load.people(asked);
  return insist(load, path, init, Math.floor(load.random() * 2), hear);
}

async function withdraw(load: Load, sessions: Sessions, { shop, changeId }: Acknowledged): Promise<void> {
  const headers = { authorization: `Bearer ${shop.merchant.agent.secret}`, "undersigned-session": (await sessionOf(load, sessions, shop)).id };
  const { status, body } = await insist(load, `/api/v1/changes/${changeId}/withdraw`, { method: "POST", headers }, 0);
  if (status !== 200) load.books.refuse(body.code ?? "unanswered");
}

/** This caller's session at a shop. */
async function sessionOf(load: Load, sessions: Sessions, shop: Shop): Promise<Session> {
  const known = sessions.get(shop);
  if (known) return known;
  const headers = { authorization: `Bearer ${shop.merchant.agent.secret}` };
  const { body } = await insist({ ...load, giveUp: 0 }, "/api/v1/sessions", { method: "POST", headers }, 0);
  const session: Session = { id: body.id!, read: new Set() };
  sessions.set(shop, session);
  return session;
}

/** Reads an order whole, once in a session. */
async function read(load: Load, { merchant }: Shop, session: Session, orderId: string): Promise<void> {
  if (session.read.has(orderId)) return;
  const headers = { authorization: `Bearer ${merchant.agent.secret}`, "undersigned-session": session.id };
  await insist({ ...load, giveUp: 0 }, `/api/v1/orders/${orderId}`, { headers }, 0);
  session.read.add(orderId);
}

/** Sends the same request until it is answered by something that is no "come again". Status 0: given up. */
async function insist({ books, random, urls, giveUp }: Load, path: string, init: RequestInit | ((origin: string) => RequestInit), at: number, hear = heardJson): Promise<Heard> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const heard = await once(urls(), path, init, at + attempt, hear);
    if (heard.status !== 0 && heard.status < 500 && !COME_AGAIN.includes(heard.body.code ?? "")) return heard;
    if (heard.status === 0 || heard.status >= 500) {
      if (attempt === 0) books.cut++;
      books.fault(heard.body.fault ?? heard.body.code ?? "no answer");
      if (heard.status === 0 && random() < giveUp) break;
    }
    await sleep(20 + random() * 80);
  }
  return { status: 0, body: {} };
}

async function once(urls: readonly string[], path: string, init: RequestInit | ((origin: string) => RequestInit), at: number, hear: (answer: Response) => Promise<Heard>): Promise<Heard> {
  if (urls.length === 0) return { status: 0, body: {} };
  const origin = urls[at % urls.length]!;
  try {
    return await hear(await fetch(`${origin}${path}`, { ...(typeof init === "function" ? init(origin) : init), signal: AbortSignal.timeout(PATIENCE_MS) }));
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return { status: 0, body: { fault: `no answer: ${cause?.code ?? name}` } };
  }
}

const heardJson = async (answer: Response): Promise<Heard> => ({ status: answer.status, body: (await answer.json()) as Heard["body"] });

export const pick = <T>(of: readonly T[], random: () => number): T => of[Math.floor(random() * of.length)]!;
