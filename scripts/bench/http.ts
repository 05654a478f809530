import { Agent, request } from "node:http";
import { compare, rate, type Compared } from "./rounds";

const CONNECTIONS = 32;
const SLICE_MS = 3000;
const ROUNDS = 5;

type Order = { id: string; payment: { refundableMinor: string } };
type Answer = { status: number; text: string };

/** `POST /api/v1/changes` against an empty route of the same server. Each connection has a session of its own that has read every order; each proposal is about the next order. */
export async function benchHttp(url: string, key: string): Promise<Compared> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const send = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
    new Promise<Answer>((resolve, reject) => {
      const call = request(`${url}${path}`, { method, agent, headers: { authorization: `Bearer ${key}`, ...headers, ...(body && { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }) } }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => { text += chunk; }).on("end", () => resolve({ status: answer.statusCode ?? 0, text })).on("error", reject);
      });
      call.on("error", reject).end(body);
    });
  const orders: Order[] = [];
  const readAll = async (): Promise<string> => {
    const { id: session } = JSON.parse((await send("POST", "/api/v1/sessions")).text) as { id: string };
    orders.length = 0;
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = JSON.parse((await send("GET", `/api/v1/orders?limit=100${cursor && `&cursor=${cursor}`}`, { "undersigned-session": session })).text) as { items: Order[]; nextCursor: string | null };
      orders.push(...page.items.filter(({ payment }) => BigInt(payment.refundableMinor) > 1000n));
      cursor = page.nextCursor;
    }
    return session;
  };
  const sessions: string[] = [];
  while (sessions.length < CONNECTIONS) sessions.push(await readAll());
  let n = 0;
  const stage = async (caller: number): Promise<void> => {
    const body = JSON.stringify({ kind: "refund", orderId: orders[n % orders.length]!.id, amount: { amountMinor: "1", currency: "GBP" }, reason: "damaged", note: "The handle was broken when the parcel arrived." });
    const { status, text } = await send("POST", "/api/v1/changes", { "undersigned-session": sessions[caller]!, "idempotency-key": `bench-${process.pid}-${n++}` }, body);
    if (status !== 201) throw new Error(`POST /changes answered ${status}: ${text.slice(0, 300)}`);
  };
  const empty = async (): Promise<void> => {
    const { status } = await send("GET", "/api/live");
    if (status !== 204) throw new Error(`GET /api/live answered ${status}`);
  };
  const row = await compare("POST /api/v1/changes, 32 connections, against an empty route", 0.45, () => rate(stage, CONNECTIONS, SLICE_MS), () => rate(empty, CONNECTIONS, SLICE_MS), ROUNDS);
  agent.destroy();
  return row;
}
