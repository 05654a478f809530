import { Agent, request as send, type IncomingHttpHeaders, type RequestOptions, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { logger } from "../log";
import { note } from "../request-notes";
import { trustedProxies } from "./peer";
import { makeServer } from "./server";

const lines: string[] = [];
const seen: { headers: IncomingHttpHeaders; url: string }[] = [];
const agent = new Agent({ keepAlive: false });
let direct: Server;
let proxied: Server;

const app = async (request: Parameters<Parameters<typeof makeServer>[0]>[0], response: Parameters<Parameters<typeof makeServer>[0]>[1]) => {
  seen.push({ headers: request.headers, url: request.url! });
  if (request.url === "/boom") throw new Error("select failed for maya@shop.example with usk_0123456789012345678901234567890123456789012 on postgresql://app:hunter2@db/x");
  for await (const chunk of request) void chunk;
  note({ merchant: "mer-0123456789", actor: "agent" });
  response.end("fine");
};

beforeAll(async () => {
  const log = logger("web", { write: (line: string) => void lines.push(line) });
  log.level = "debug";
  const make = (list: string) => makeServer(app, { proxies: trustedProxies(list), log, headersMs: 1000, requestMs: 1500 });
  [direct, proxied] = [make(""), make("127.0.0.0/8, 10.0.0.0/8")];
  for (const server of [direct, proxied]) await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
});
beforeEach(() => { lines.length = 0; seen.length = 0; });
afterAll(() => [direct, proxied].forEach((server) => { server.closeAllConnections(); server.close(); }));

type Answer = { status: number; headers: IncomingHttpHeaders; body: string };
function ask(server: Server, options: RequestOptions, body?: Buffer | string): Promise<Answer> {
  return new Promise((done, failed) => {
    const { port } = server.address() as AddressInfo;
    const request = send({ host: "127.0.0.1", port, agent, path: "/", ...options }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      done({ status: response.statusCode!, headers: response.headers, body: text });
    });
    request.on("error", failed);
    request.end(body);
  });
}
const raw = (text: string): Promise<string> =>
  new Promise((done) => {
    let said = "";
    const socket = connect((direct.address() as AddressInfo).port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => (said += chunk)).on("close", () => done(said)).on("error", () => done(said));
  });
const LIES = { "x-forwarded-for": "203.0.113.9", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https", forwarded: "for=203.0.113.9;host=evil.example", "x-real-ip": "203.0.113.9" };

test("a stranger is who they are, whatever they say", async () => {
  expect((await ask(direct, { headers: { ...LIES, host: "shop.example" } })).status).toBe(200);
  expect(seen[0]!.headers).toMatchObject({ "x-forwarded-for": "127.0.0.1", "x-forwarded-host": "shop.example", "x-forwarded-proto": "http" });
  expect(seen[0]!.headers).not.toHaveProperty("forwarded");
  expect(seen[0]!.headers).not.toHaveProperty("x-real-ip");
});

test("a trusted proxy is believed about the last address that is no proxy", async () => {
  await ask(proxied, { headers: { ...LIES, "x-forwarded-for": "198.51.100.1, 203.0.113.9, 10.1.2.3" } });
  expect(seen[0]!.headers).toMatchObject({ "x-forwarded-for": "203.0.113.9", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" });
  await ask(proxied, { headers: { forwarded: 'for=198.51.100.1, for="[2001:db8::7]:4711";proto=https;host=shop.example' } });
  expect(seen[1]!.headers).toMatchObject({ "x-forwarded-for": "2001:db8::7", "x-forwarded-host": "shop.example", "x-forwarded-proto": "https" });
  await ask(proxied, { headers: { "x-forwarded-for": "203.0.113.9, unknown" } });
  expect(seen[2]!.headers["x-forwarded-for"]).toBe("127.0.0.1");
});

test("what only Next says to itself, and method overrides, do not arrive", async () => {
  const names = ["x-middleware-subrequest", "x-middleware-next", "x-nextjs-data", "next-resume", "x-matched-path", "x-http-method-override", "x-method-override", "x-http-method", "x-original-url", "x-rewrite-url", "x-request-id"];
  await ask(direct, { method: "POST", headers: { ...Object.fromEntries(names.map((name) => [name, "DELETE"])), "next-action": "abc", rsc: "1" } });
  for (const name of names) expect(seen[0]!.headers).not.toHaveProperty(name);
  expect(seen[0]!.headers).toMatchObject({ "next-action": "abc", rsc: "1" });
});

test.each(["/%00", "/a%0ab", "/%zz", "/%e0%a4%a", "//evil.example/x", "/a%5cb", "/orders?query=%00", "http://evil.example/", "*"])("%s is no URL of ours", async (path) => {
  const { status, headers, body } = await ask(direct, { path });
  expect([status, headers["content-type"], JSON.parse(body).code]).toEqual([400, "application/problem+json", "malformed"]);
  expect(JSON.parse(body).requestId).toBe(headers["x-request-id"]);
  expect(seen).toEqual([]);
});

test("a packed body, another method and a strange host are refused unseen", async () => {
  expect((await ask(direct, { method: "POST", headers: { "content-encoding": "gzip" } }, gzipSync(Buffer.alloc(1e6)))).status).toBe(415);
  expect((await ask(direct, { method: "TRACE" })).status).toBe(405);
  expect((await ask(direct, { headers: { host: "a/b@c" } })).status).toBe(400);
  expect(seen).toEqual([]);
});

test("a body over the limit ends at the limit, declared or not", async () => {
  expect((await ask(direct, { method: "POST", headers: { "content-length": 2 ** 21 } }, Buffer.alloc(2 ** 21)).catch(() => ({ status: 413 }))).status).toBe(413);
  expect(seen).toEqual([]);
  expect((await ask(direct, { method: "POST", headers: { "transfer-encoding": "chunked" } }, Buffer.alloc(2 ** 21))).status).toBe(413);
});

test("heads and bodies that trickle in are cut off, and what is no HTTP is told so", async () => {
  expect(await raw("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")).toMatch(/^HTTP\/1.1 408 [^]*"request_timeout"/);
  expect(await raw("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc")).toMatch(/^HTTP\/1.1 408 [^]*"request_timeout"/);
  expect(await raw("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n")).toContain("not well-formed");
});

test("each request is one line, by route and names alone", async () => {
  const secret = `usk_${"k".repeat(43)}`;
  await ask(direct, { method: "POST", path: `/welcome/${"T0ken".repeat(9)}?email=maya@shop.example`, headers: { authorization: `Bearer ${secret}`, cookie: "next-auth.session-token=sealed" } }, '{"note":"private"}');
  await ask(direct, { path: "/boom" });
  const told = lines.map((line) => JSON.parse(line));
  expect(told.filter(({ msg }) => msg === "request")).toMatchObject([
    { method: "POST", route: "/welcome/:x", status: 200, merchant: "mer-0123456789", actor: "agent", ms: expect.any(Number), requestId: expect.any(String) },
    { method: "GET", route: "/boom", status: 503, code: "unavailable" },
  ]);
  expect(told.find(({ msg }) => msg === "a request failed").err).toMatchObject({ type: "Error", message: expect.stringContaining("select failed") });
  for (const kept of ["usk_0", secret, "T0ken", "maya", "sealed", "private", "hunter2"]) expect(lines.join("")).not.toContain(kept);
});

test("networks of proxies are addresses, or refused by name", () => {
  expect(() => trustedProxies("10.0.0.0/33")).toThrow('"10.0.0.0/33"');
  expect(() => trustedProxies("proxy.example")).toThrow('"proxy.example"');
  expect(trustedProxies("::1, fd00::/8").check("fd12::1", "ipv6")).toBe(true);
});
