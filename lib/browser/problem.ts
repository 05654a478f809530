/** An answer that was not the one asked for: `status` 0 where no answer came. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string | undefined,
  ) {
    super(message);
    this.name = "Problem";
  }
}

/** How long an answer is waited for, in milliseconds. */
const PATIENCE = 10_000;

/** GETs JSON from our own origin. An ended sign-in leads to the sign-in page and back. Throws a `Problem`. */
export const getJson = <T>(path: string, signal?: AbortSignal): Promise<T> => ask<T>(path, { headers: { accept: "application/json" }, signal: patiently(signal) });

/** PUTs JSON, otherwise like `getJson`. */
export const putJson = <T>(path: string, body: unknown): Promise<T> =>
  ask<T>(path, { method: "PUT", headers: { accept: "application/json", "content-type": "application/json" }, body: JSON.stringify(body) });

/** POSTs JSON, otherwise like `getJson`. */
export const postJson = <T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> =>
  ask<T>(path, { method: "POST", headers: { accept: "application/json", "content-type": "application/json" }, body: JSON.stringify(body), signal: patiently(signal) });

const patiently = (signal?: AbortSignal): AbortSignal => (signal ? AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]) : AbortSignal.timeout(PATIENCE));

async function ask<T>(path: string, request: RequestInit): Promise<T> {
  const answer = await fetch(path, request).catch((error: unknown) => {
    if (request.signal?.aborted) throw error;
    throw new Problem(0, "no_answer", "No answer from the server.", undefined);
  });
  if (answer.ok) return (await answer.json()) as T;
  if (answer.status === 401) {
    location.assign(`/sign-in?callbackUrl=${encodeURIComponent(location.pathname + location.search)}`);
  }
  const problem = (await answer.json().catch(() => ({}))) as { code?: string; title?: string; detail?: string; requestId?: string };
  throw new Problem(answer.status, problem.code ?? "unavailable", problem.detail ?? problem.title ?? "The server could not answer.", problem.requestId);
}
