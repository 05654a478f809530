import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { BlockList, Socket } from "node:net";
import type { Logger } from "pino";
import { count, observe } from "../../kernel/metrics";
import { problemBody } from "../../kernel/problem";
import { Refusal, REFUSALS, type RefusalCode } from "../../kernel/refusal";
import { withNotes, type RequestNotes } from "../request-notes";
import { peerOf } from "./peer";
import { routeClass, routeShape } from "./route-class";
import { LARGEST_BODY, screen, vouch } from "./screen";

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
export type ServerOptions = { proxies: BlockList; log: Logger; headersMs?: number; requestMs?: number };

/**
 * The HTTP server around Next: it bounds slow and large requests, says who asks and not what they claim, and logs and counts
 * each request once. `headersMs` and `requestMs` bound the time in which a head and a whole request must have arrived.
 */
export function makeServer(handler: Handler, { proxies, log, headersMs = 10_000, requestMs = 30_000 }: ServerOptions): Server {
  const options = { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: 1000, keepAliveTimeout: 65_000 };
  const server = createServer(options, (request, response) => {
    const notes: RequestNotes = { requestId: randomUUID() };
    tell(request, response, notes, log);
    response.setHeader("x-request-id", notes.requestId);
    void withNotes(notes, async () => {
      try {
        screen(request);
        boundBody(request, () => refuse(request, response, new Refusal("body_too_large"), notes));
        vouch(request, peerOf(request.headers, request.socket.remoteAddress ?? "", proxies));
        await handler(request, response);
      } catch (error) {
        if (!(error instanceof Refusal)) log.error({ err: error, requestId: notes.requestId }, "a request failed");
        refuse(request, response, error instanceof Refusal ? error : new Refusal("unavailable", { retryAfter: 1 }), notes);
      }
    });
  });
  server.on("clientError", refuseConnection);
  return server;
}

/** Answers before the application has seen the request, and reads no more of it. */
function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal, notes: RequestNotes): void {
  notes.code = refusal.code;
  count("undersigned_refusals", { code: refusal.code });
  if (response.headersSent) return void request.socket.destroy();
  const body = problemBody(refusal, notes.requestId);
  const headers = { "content-type": "application/problem+json", "cache-control": "no-store", "x-content-type-options": "nosniff", "content-length": Buffer.byteLength(body), connection: "close" };
  response.writeHead(REFUSALS[refusal.code].status, headers).end(body);
  // Whoever is still sending is given a moment to read the answer.
  if (!request.complete) response.once("finish", () => setTimeout(() => request.socket.destroy(), 500).unref());
}

/** Counts a body as it arrives, however its length was declared. */
function boundBody(request: IncomingMessage, over: () => void): void {
  let size = 0;
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null) => {
    size += chunk?.length ?? 0;
    if (size <= LARGEST_BODY) return push(chunk);
    request.push = () => false;
    over();
    return false;
  };
}

/** What is no HTTP, or came too slowly: answered on the bare connection. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const code: RefusalCode = error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? "request_timeout" : "malformed"; // a slow one may come again
  count("undersigned_refusals", { code });
  const body = problemBody(new Refusal(code, code === "malformed" ? { detail: "The request is not well-formed HTTP" } : {}), randomUUID());
  socket.end(`HTTP/1.1 ${code === "malformed" ? "400 Bad Request" : "408 Request Timeout"}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
}

/** One line and one count per request, when its answer ends or its caller leaves. */
function tell(request: IncomingMessage, response: ServerResponse, notes: RequestNotes, log: Logger): void {
  const started = performance.now();
  const path = (request.url ?? "").split("?")[0]!;
  const route = routeClass(path);
  response.once("close", () => {
    const ms = Math.round((performance.now() - started) * 10) / 10;
    const { statusCode: status } = response;
    const method = REFUSALS.method_not_allowed.status === status ? "other" : request.method!;
    count("undersigned_requests", { route, method, status });
    observe("undersigned_request_seconds", { route }, ms / 1000);
    const quiet = route === "static" || route === "api:health" || route === "api:ready" || route === "api:metrics";
    log[quiet ? "debug" : "info"]({ method, route: routeShape(path), status, ms, ...notes, ...(!response.writableFinished && { left: true }) }, "request");
  });
}
