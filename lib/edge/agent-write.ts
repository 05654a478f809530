import { z } from "zod";
import { canonicalJson, type Json } from "../kernel/canonical-json";
import type { AgentActor, Ctx } from "../kernel/context";
import { sha256Hex } from "../kernel/digest";
import { count } from "../kernel/metrics";
import { authorise, type Permission } from "../kernel/permit";
import { problemBody } from "../kernel/problem";
import { Refusal, REFUSALS } from "../kernel/refusal";
import { checkAgentWrite, commitRefusal, type Answer, type RequestKey } from "../ledger/agent-write";
import { readBody } from "./body";
import { problemResponse, problemText } from "./problem";
import { readQuery } from "./query";
import { agentCaller, json, rateHeaders, route, type Call } from "./route";

export type WriteSpec<S extends z.ZodType> = { verb: string; permission: Permission; schema: S; idempotent: boolean };
export type Write<I, P> = { ctx: Ctx<AgentActor>; sessionId: string; input: I; params: P; request: RequestKey | null; dryRun: boolean };
export type Written = Answer & { replayed?: boolean };
// "?dryRun=1" is no dry run, and must not stage either.
const DryRun = z.strictObject({ dryRun: z.enum(["true", "false"]).optional() });
const NoQuery = z.strictObject({});

type Progress = { sessionId: string | null; request: RequestKey | null };

/**
 * A write of the agent API, checked in the order of docs/api.md: key, rate, size and type, syntax, scope, idempotency, session, input;
 * then the verb. A refusal that leaves a trace commits it, and its answer under the key, before it is told.
 */
export const agentWrite = <S extends z.ZodType, P = unknown>(spec: WriteSpec<S>, run: (write: Write<z.infer<S>, P>) => Promise<Written>) =>
  route<P>(async (call) => {
    const { ctx, rate } = await agentCaller(call);
    const headers = rateHeaders(rate);
    const progress: Progress = { sessionId: null, request: null };
    const dryRun = spec.idempotent && call.url.searchParams.get("dryRun") === "true";
    if (dryRun) count("undersigned_uncommitted", { why: "dry_run" });
    try {
      const body = await readBody(call.request);
      authorise(ctx, spec.permission);
      progress.request = spec.idempotent && !dryRun ? requestKey(call, body) : null;
      const named = call.request.headers.get("undersigned-session");
      const { before, sessionOpen } = await checkAgentWrite(ctx, named, progress.request);
      if (before) return answer(before, headers);
      if (!named) throw new Refusal("session_required");
      if (!sessionOpen) throw new Refusal("session_not_found");
      progress.sessionId = named;
      readQuery(call.url, spec.idempotent ? DryRun : NoQuery);
      const input = validate(spec.schema, body);
      return answer(await run({ ctx, sessionId: progress.sessionId, input, params: call.params, request: progress.request, dryRun }), headers);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (dryRun) return problemResponse(error, call.requestId, headers);
      return refuse(ctx, spec.verb, error, progress, call.requestId, headers);
    }
  });

async function refuse(ctx: Ctx<AgentActor>, verb: string, refusal: Refusal, { sessionId, request }: Progress, requestId: string, headers: Record<string, string>): Promise<Response> {
  const told = { status: REFUSALS[refusal.code].status, body: problemBody(refusal, requestId) };
  const stored = refusal.code === "idempotency_mismatch" ? null : request;
  const replay = await commitRefusal(ctx, { verb, subject: sessionId ?? ctx.actor.id }, refusal, sessionId, stored, told);
  return replay ? answer(replay, headers) : problemResponse(refusal, requestId, headers);
}

function answer({ status, body, replayed }: Written, headers: Record<string, string>): Response {
  if (replayed) count("undersigned_uncommitted", { why: "replay" });
  const all = replayed ? { ...headers, "idempotency-replayed": "true" } : headers;
  return status >= 400 ? problemText(status, body, all) : json(status, body, all);
}

/** Same means: method, path, query and the body's JCS. */
function requestKey<P>({ request, url }: Call<P>, body: unknown): RequestKey {
  const key = request.headers.get("idempotency-key");
  if (!key || !/^[\x21-\x7e]{1,255}$/.test(key)) throw new Refusal("idempotency_key_missing");
  return { key, hash: sha256Hex(`${request.method} ${url.pathname}${url.search}\n${body === undefined ? "" : canonical(body)}`) };
}

/** A number too large for JCS (1e999) is invalid input further on; until then its JSON text stands for it. */
function canonical(body: unknown): string {
  try {
    return canonicalJson(body as Json);
  } catch {
    return JSON.stringify(body);
  }
}

function validate<S extends z.ZodType>(schema: S, body: unknown): z.infer<S> {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const fields: Record<string, string[]> = {};
  for (const issue of parsed.error.issues) {
    const at = issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    for (const path of at) (fields[`/${path.join("/")}`] ??= []).push(issue.code === "unrecognized_keys" ? "unknown member" : issue.message);
  }
  throw new Refusal("invalid_input", { detail: `Check ${Object.keys(fields).slice(0, 5).join(", ")}`, fields });
}
