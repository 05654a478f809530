import { GET as listChanges, POST as stageChange } from "./changes/route";
import { GET as readChange } from "./changes/[id]/route";
import { POST as withdrawChange } from "./changes/[id]/withdraw/route";
import { GET as readBundle } from "./log/[merchant]/bundle/route";
import { GET as listOrders } from "./orders/route";
import { GET as readOrder } from "./orders/[id]/route";
import { GET as readPolicy } from "./policy/route";
import { POST as openSession } from "./sessions/route";

type Handler = (request: Request, context: { params: Promise<never> }) => Promise<Response>;
const ROUTES: readonly (readonly [string, RegExp, unknown])[] = [
  ["POST", /^\/sessions$/, openSession],
  ["GET", /^\/orders$/, listOrders],
  ["GET", /^\/orders\/(?<id>[^/]+)$/, readOrder],
  ["GET", /^\/policy$/, readPolicy],
  ["GET", /^\/changes$/, listChanges],
  ["POST", /^\/changes$/, stageChange],
  ["GET", /^\/changes\/(?<id>[^/]+)$/, readChange],
  ["POST", /^\/changes\/(?<id>[^/]+)\/withdraw$/, withdrawChange],
  ["GET", /^\/log\/(?<merchant>[^/]+)\/bundle$/, readBundle],
];

export type Answered = { status: number; headers: Headers; text: string; json: Record<string, unknown> & { code?: string } };
export type Client = (method: "GET" | "POST", path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answered>;

/** The agent API by its route handlers, as an agent with this key would call it. A string body is sent as it is. */
export const apiClient = (secret: string): Client => async (method, path, body, headers = {}) => {
  const url = new URL(`http://undersigned.example/api/v1${path}`);
  const route = ROUTES.find(([verb, pattern]) => verb === method && pattern.test(url.pathname.slice("/api/v1".length)))!;
  const params = route[1].exec(url.pathname.slice("/api/v1".length))!.groups ?? {};
  const init = { method, headers: { authorization: `Bearer ${secret}`, ...(body !== undefined && { "content-type": "application/json" }), ...headers } };
  const request = new Request(url, body === undefined ? init : { ...init, body: typeof body === "string" ? body : JSON.stringify(body) });
  const response = await (route[2] as Handler)(request, { params: Promise.resolve(params as never) });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") && !response.headers.get("content-type")?.includes("ndjson");
  return { status: response.status, headers: response.headers, text, json: (isJson ? JSON.parse(text) : {}) as Answered["json"] };
};

/** A session that has read these orders whole; gives its header. */
export async function sessionWith(call: Client, ...orderIds: string[]): Promise<{ "undersigned-session": string }> {
  const { json } = await call("POST", "/sessions");
  const header = { "undersigned-session": String(json.id) };
  for (const id of orderIds) await call("GET", `/orders/${id}`, undefined, header);
  return header;
}
