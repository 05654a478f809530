import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { AgentClient } from "./agent-client";

type Reply = { status: number; body: object; headers?: Record<string, string> };

let server: Server;
afterEach(() => new Promise((done) => server.close(done)));

/** A server that gives these answers in turn, and what it was asked. */
async function answering(...replies: Reply[]): Promise<{ client: AgentClient; asked: string[]; stop: AbortController }> {
  const asked: string[] = [];
  server = createServer((request, response) => {
    const { status, body, headers } = replies[asked.length] ?? { status: 500, body: {} };
    const { authorization, "idempotency-key": key, "undersigned-session": session } = request.headers;
    asked.push([request.method, request.url, authorization, key, session].join(" "));
    request.resume().on("end", () => response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body)));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const stop = new AbortController();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { client: new AgentClient(url, "usk_x", stop.signal, () => undefined), asked, stop };
}

const problem = (status: number, code: string): Reply => ({ status, body: { status, code, title: code } });
const call = { session: "ses-1", idempotencyKey: "C1-1", body: { kind: "refund" } };

describe("AgentClient", () => {
  it("asks again with the same key while the session is busy or the server is away, and gives the answer", async () => {
    const { client, asked } = await answering(problem(409, "session_busy"), problem(503, "unavailable"), { status: 201, body: { id: "chg-1" } });
    expect(await client.call("POST", "/api/v1/changes", call)).toEqual({ ok: true, status: 201, body: { id: "chg-1" }, replayed: false });
    expect(asked).toHaveLength(3);
    expect(new Set(asked)).toEqual(new Set(["POST /api/v1/changes Bearer usk_x C1-1 ses-1"]));
  });

  it("gives a refusal to its caller at once", async () => {
    const { client, asked } = await answering(problem(422, "guardrail_violation"));
    expect(await client.call("POST", "/api/v1/changes", call)).toMatchObject({ ok: false, status: 422, problem: { code: "guardrail_violation" } });
    expect(asked).toHaveLength(1);
  });

  it("tells a replay from a new answer", async () => {
    const { client } = await answering({ status: 201, body: {}, headers: { "idempotency-replayed": "true" } });
    expect(await client.call("POST", "/api/v1/changes", call)).toMatchObject({ ok: true, replayed: true });
  });

  it("stops waiting when it is told to", async () => {
    const { client, stop } = await answering({ status: 429, body: {}, headers: { "retry-after": "3600" } });
    const answer = client.call("GET", "/api/v1/policy");
    server.once("request", (_, response) => response.once("finish", () => stop.abort()));
    await expect(answer).rejects.toThrow(/aborted/);
  });
});
