import { setTimeout as sleep } from "node:timers/promises";

export type Problem = { status: number; code: string; detail?: string; title: string; violations?: { rule: string; cap: string; actual: string }[] };
export type Answer<T> = { ok: true; status: number; body: T; replayed: boolean } | { ok: false; status: number; problem: Problem };
type Call = { session?: string; idempotencyKey?: string; body?: unknown };

const AGAIN = new Set(["session_busy", "idempotency_in_progress"]);
const LONGEST_MS = 30_000;

/**
 * A client of the agent API over plain fetch. It asks again, ever more slowly, where the server is away (no answer, 5xx), asks for patience (429)
 * or is busy with the same session or key; every other answer is the caller's. Waiting ends with `stop`, a request in flight does not.
 */
export class AgentClient {
  constructor(private readonly url: string, private readonly key: string, private readonly stop: AbortSignal, private readonly say: (line: string) => void) {}

  async call<T>(method: "GET" | "POST", path: string, { session, idempotencyKey, body }: Call = {}): Promise<Answer<T>> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.key}` };
    if (session) headers["undersigned-session"] = session;
    if (idempotencyKey) headers["idempotency-key"] = idempotencyKey;
    if (body !== undefined) headers["content-type"] = "application/json";
    for (let attempt = 0; ; attempt++) {
      const answer = await this.once<T>(new URL(path, this.url), { method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal: AbortSignal.timeout(LONGEST_MS) });
      if ("body" in answer || "problem" in answer) return answer;
      const wait = Math.max(answer.retryAfter * 1000, Math.min(LONGEST_MS, 250 * 2 ** attempt) * (0.5 + Math.random() / 2));
      if (attempt % 5 === 1) this.say(`${method} ${path}: ${answer.why}, again in ${(wait / 1000).toFixed(1)} s`);
      await sleep(wait, undefined, { signal: this.stop });
    }
  }

  private async once<T>(url: URL, init: RequestInit): Promise<Answer<T> | { why: string; retryAfter: number }> {
    try {
      const response = await fetch(url, init);
      const retryAfter = Number(response.headers.get("retry-after") ?? 0) || 0;
      if (response.status === 429 || response.status >= 500) {
        await response.body?.cancel();
        return { why: `answered ${response.status}`, retryAfter };
      }
      const body: unknown = await response.json();
      if (response.ok) return { ok: true, status: response.status, body: body as T, replayed: response.headers.get("idempotency-replayed") === "true" };
      const problem = body as Problem;
      return AGAIN.has(problem.code) ? { why: problem.code, retryAfter } : { ok: false, status: response.status, problem };
    } catch (error) {
      return { why: error instanceof Error ? error.message : String(error), retryAfter: 0 };
    }
  }
}
