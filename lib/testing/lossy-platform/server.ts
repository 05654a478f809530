import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { FAULTS, seededRandom, type Fault } from "./faults";
import { PlatformLedger, type Ask } from "./ledger";

// A shop's refund service that can lose answers, as a process of its own: `tsx server.ts PORT [SEED RATE]`. Faults come on command
// (POST /control) or at random by a seed. It dies with its parent's pipe.

const [port = "0", seed = "0", rate = "0"] = process.argv.slice(2);
const books = new PlatformLedger();
const random = seededRandom(Number(seed));
const queued: (Fault | null)[] = [];
let delayMs = 200;
const late: (() => void)[] = [];
const LATE_MS = 3000; // longer than the pause before an item is sent again

const jsonOf = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
};
const answer = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body, (_name, value: unknown) => (typeof value === "bigint" ? String(value) : value)));
};
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function nextFault(): Fault | null {
  if (queued.length > 0) return queued.shift() ?? null;
  const harmless = FAULTS.filter((fault) => fault !== "refuse");
  return random() < Number(rate) ? harmless[Math.floor(random() * harmless.length)]! : null;
}

async function refund(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const ask = (await jsonOf(request)) as Ask;
  const key = String(request.headers["idempotency-key"]);
  const fault = nextFault();
  if (fault === "refuse") return answer(response, 422, { code: "not_refundable" });
  if (fault === "lose") return void request.socket.destroy();
  if (fault === "late") {
    late.push(books.writeLater(key, ask));
    if (Number(rate) > 0) setTimeout(land, LATE_MS);
    return void request.socket.destroy();
  }
  const written = books.write(key, ask);
  if (fault === "duplicate") books.write(key, ask);
  if (fault === "drop_answer") return void request.socket.destroy();
  if (fault === "answer_500") return answer(response, 500, {});
  if (fault === "delay") await pause(delayMs);
  if ("refused" in written) return answer(response, 422, { code: written.refused });
  answer(response, written.replayed ? 200 : 201, { id: written.refund.id });
}

/** What was late is written now. */
function land(): void {
  for (const write of late.splice(0)) write();
}

type Control = { landLate?: boolean; faults?: (Fault | null)[]; payments?: { id: string; capturedMinor: string; disputedMinor?: string }[]; forgetKeys?: boolean; delayMs?: number };

async function control(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { faults = [], payments = [], forgetKeys, landLate, delayMs: delay } = (await jsonOf(request)) as Control;
  queued.push(...faults);
  for (const { id, capturedMinor, disputedMinor } of payments) books.setPayment(id, BigInt(capturedMinor), BigInt(disputedMinor ?? "0"));
  if (landLate) land();
  if (forgetKeys) books.forgetKeys();
  delayMs = delay ?? delayMs;
  answer(response, 200, { refunds: books.refunds });
}

const server = createServer((request, response) => {
  const url = new URL(request.url!, "http://platform");
  const handle = async (): Promise<void> => {
    if (url.pathname === "/control") return control(request, response);
    if (request.method === "POST" && url.pathname === "/refunds") return refund(request, response);
    if (url.pathname === "/refunds") {
      const found = books.find(url.searchParams.get("reference") ?? "");
      return answer(response, found ? 200 : 404, found ?? { code: "not_found" });
    }
    const payment = books.payment(decodeURIComponent(url.pathname.replace("/payments/", "")));
    return answer(response, payment ? 200 : 404, payment ?? { code: "not_found" });
  };
  handle().catch(() => request.socket.destroy());
});
server.listen(Number(port), "127.0.0.1", () => process.stdout.write(`${JSON.stringify(server.address())}\n`));
process.stdin.on("close", () => process.exit(0)).resume();
