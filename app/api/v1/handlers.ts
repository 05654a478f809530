import { route } from "@/lib/edge/route";
import { Refusal } from "@/lib/kernel/refusal";
import * as nowhere from "./[...rest]/route";
import * as changes from "./changes/route";
import * as change from "./changes/[id]/route";
import * as withdraw from "./changes/[id]/withdraw/route";
import * as bundle from "./log/[merchant]/bundle/route";
import * as orders from "./orders/route";
import * as order from "./orders/[id]/route";
import * as policy from "./policy/route";
import * as sessions from "./sessions/route";

type Handler = (request: Request, context: { params: Promise<never> }) => Promise<Response>;
type Handlers = Record<string, unknown>;
const ROUTES: readonly (readonly [RegExp, Handlers])[] = [
  [/^\/sessions$/, sessions],
  [/^\/orders$/, orders],
  [/^\/orders\/(?<id>[^/]+)$/, order],
  [/^\/policy$/, policy],
  [/^\/changes$/, changes],
  [/^\/changes\/(?<id>[^/]+)$/, change],
  [/^\/changes\/(?<id>[^/]+)\/withdraw$/, withdraw],
  [/^\/log\/(?<merchant>[^/]+)\/bundle$/, bundle],
  [/^/, nowhere],
];
const BASE = "/api/v1";
const undecodable = route(() => Promise.reject(new Refusal("malformed")));

/** The agent API without its server, for tests: finds the handler as Next does, and gives it the path's ids decoded. */
export async function answer(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.slice(BASE.length);
  const [pattern, handlers] = ROUTES.find(([each]) => each.test(path))!;
  const method = request.method === "HEAD" ? "GET" : request.method;
  const handler = handlers[method] as Handler | undefined;
  if (!handler) return new Response(null, { status: request.method === "OPTIONS" ? 204 : 405 });
  const params = decoded(pattern.exec(path)!.groups ?? {});
  return params ? handler(request, { params: Promise.resolve(params as never) }) : undecodable(request, { params: Promise.resolve({}) });
}

function decoded(groups: Record<string, string>): Record<string, string> | null {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return null;
  }
}
