import { answer } from "./handlers";

export type Answered = { status: number; headers: Headers; text: string; json: Record<string, unknown> & { code?: string } };
export type Client = (method: "GET" | "POST", path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answered>;

/** The agent API by its route handlers, as an agent with this key would call it. A string body is sent as it is. */
export const apiClient = (secret: string): Client => async (method, path, body, headers = {}) => {
  const url = new URL(`http://undersigned.example/api/v1${path}`);
  const init = { method, headers: { authorization: `Bearer ${secret}`, ...(body !== undefined && { "content-type": "application/json" }), ...headers } };
  const response = await answer(new Request(url, body === undefined ? init : { ...init, body: typeof body === "string" ? body : JSON.stringify(body) }));
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
