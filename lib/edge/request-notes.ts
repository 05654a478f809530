import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { Actor } from "../kernel/context";

/** What the line that the server logs of a request says beside the request itself. Names only: no key, cookie, text or address. */
export type RequestNotes = { requestId: string; merchant?: string; actor?: Actor["kind"]; code?: string };

// One storage for the process: the server and Next's bundles load this module separately.
const kept = globalThis as unknown as { undersignedRequests?: AsyncLocalStorage<RequestNotes> };
const requests = (kept.undersignedRequests ??= new AsyncLocalStorage<RequestNotes>());

/** Runs one request under its notes. */
export const withNotes = <T>(notes: RequestNotes, run: () => T): T => requests.run(notes, run);

/** The id of the request being answered: the server's, or a new one where another server runs us. */
export const currentRequestId = (): string => requests.getStore()?.requestId ?? randomUUID();

/** The id of the request being answered, if one is. */
export const requestIdOrNone = (): string | undefined => requests.getStore()?.requestId;

/** Adds to the line about the request being answered. */
export function note(notes: Partial<RequestNotes>): void {
  Object.assign(requests.getStore() ?? {}, notes);
}
