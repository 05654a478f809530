import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { answer } from "../app/api/v1/handlers";
import { decide, type Asked } from "../lib/testing/load/decide";

// The agent API's handlers, and people's verbs under /person, as a process that tests start twice and kill. It listens on a free port of
// loopback, says which on its first line, and dies with its parent's pipe. Next's own server is left out: it starts too slowly to be killed often.

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  if (request.url === "/person") {
    const told = await decide(JSON.parse(body.toString()) as Asked);
    response.writeHead(told.status, { "content-type": "application/json" }).end(JSON.stringify(told.body));
    return;
  }
  const headers = new Headers(Object.entries(request.headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as [string, string]] : [])));
  const asked = new Request(`http://localhost${request.url}`, { method: request.method, headers, ...(body.length > 0 && { body }) });
  const told = await answer(asked);
  response.writeHead(told.status, Object.fromEntries(told.headers)).end(Buffer.from(await told.arrayBuffer()));
}

const server = createServer((request, response) => void respond(request, response).catch(() => request.socket.destroy()));
server.keepAliveTimeout = 0; // a caller must not take a connection that closes as it is reused for a lost answer
server.listen(0, "127.0.0.1", () => process.stdout.write(`${JSON.stringify(server.address())}\n`));
process.stdin.on("close", () => process.exit(0)).resume();
