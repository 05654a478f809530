import type { AgentActor, Ctx, PersonActor } from "../kernel/context";
import { Refusal } from "../kernel/refusal";
import { enterWithKey, type AgentCaller, type RateLimit } from "../identity/keys";
import { faultResponse, problemResponse } from "./problem";
import { currentCaller } from "./request-context";
import { currentRequestId, note } from "./request-notes";

export type Call<P> = { request: Request; url: URL; params: P; requestId: string };
type Context<P> = { params: Promise<P> };
type Handler<P> = (request: Request, context: Context<P>) => Promise<Response>;

/** A route handler that answers refusals and faults as problem+json, under a request id. */
export function route<P = unknown>(run: (call: Call<P>) => Promise<Response>): Handler<P> {
  return async (request, context) => {
    const requestId = currentRequestId();
    try {
      const response = await run({ request, url: new URL(request.url), params: askable(await context.params), requestId });
      response.headers.set("x-request-id", requestId);
      return response;
    } catch (error) {
      return error instanceof Refusal ? problemResponse(error, requestId) : faultResponse(error, requestId);
    }
  };
}

/** PostgreSQL holds no U+0000, so an id with one is an id that nobody has. */
const askable = <P>(params: P): P =>
  Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, typeof value === "string" && value.includes("\0") ? "" : value])) as P;

/** Answers the methods that a route does not have; `allow` names those that it has. */
export const otherMethods = (allow: string): Handler<unknown> => async () => {
  const response = problemResponse(new Refusal("method_not_allowed"), currentRequestId());
  response.headers.set("allow", allow);
  return response;
};

/** Console data, for the signed-in person's pages. */
export const personRoute = <P = unknown>(run: (ctx: Ctx<PersonActor>, call: Call<P>) => Promise<unknown>): Handler<P> =>
  route<P>(async (call) => {
    const caller = await currentCaller(call.requestId);
    if (!caller) throw new Refusal("unauthenticated");
    const answer = await run(caller.ctx, call);
    return answer instanceof Response ? answer : json(200, JSON.stringify(answer));
  });

/** A read of the agent API: by a key, or by a person's cookie. */
export const readRoute = <P = unknown>(run: (ctx: Ctx<AgentActor | PersonActor>, call: Call<P>) => Promise<unknown>): Handler<P> =>
  route<P>(async (call) => {
    const { ctx, rate } = await caller(call);
    const answer = await run(ctx, call);
    const response = answer instanceof Response ? answer : json(200, JSON.stringify(answer));
    for (const [name, value] of Object.entries(rateHeaders(rate))) response.headers.set(name, value);
    return response;
  });

async function caller<P>(call: Call<P>): Promise<{ ctx: Ctx<AgentActor | PersonActor>; rate: RateLimit | null }> {
  if (call.request.headers.has("authorization")) return agentCaller(call);
  const person = await currentCaller(call.requestId);
  if (!person) throw new Refusal("unauthenticated");
  return { ctx: person.ctx, rate: null };
}

/** The agent behind a request's key, counted against its minute. */
export async function agentCaller({ request, requestId }: Pick<Call<unknown>, "request" | "requestId">): Promise<AgentCaller> {
  const caller = await enterWithKey(bearer(request), requestId);
  note({ merchant: caller.ctx.merchantId, actor: "agent" });
  return caller;
}

/** The secret of an `Authorization: Bearer` header; refuses where there is none. */
function bearer(request: Request): string {
  const secret = /^Bearer +(usk_[A-Za-z0-9_-]{43})$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (!secret) throw new Refusal("unauthenticated");
  return secret;
}

export const rateHeaders = (rate: RateLimit | null): Record<string, string> =>
  rate ? { "ratelimit-policy": `"key";q=${rate.limit};w=60`, ratelimit: `"key";r=${rate.remaining};t=${rate.resetSeconds}` } : {};

export const json = (status: number, body: string, headers: Record<string, string> = {}): Response =>
  new Response(body, { status, headers: { "content-type": "application/json", "cache-control": "no-store", ...headers } });
