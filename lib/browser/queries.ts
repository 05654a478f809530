import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { AuditView, ChangeView, HistoryPage, HistorySums, OrderPage, OrderView, QueuePage, ViewName } from "../changes/view";
import type { PolicyView } from "../guardrails/policy-view";
import type { StandingView } from "../guardrails/standing";
import type { TriedPage, TryInput } from "../changes/try-policy";
import { getJson, postJson, Problem } from "./problem";

/** How often what is on screen is asked for again, in milliseconds. */
const LIVE = 2500;

/** What could not be read at all waits for the reader to try again. */
const liveOnceRead = ({ state }: { state: { data: unknown } }): number | false => (state.data === undefined ? false : LIVE);

/** A "no" is an answer: only what did not arrive, or an ailing server, is asked again. */
export const worthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 && (!(error instanceof Problem) || error.status === 0 || error.status >= 500);

const withQuery = (path: string, params: Record<string, string | undefined>): string => {
  const query = new URLSearchParams(Object.entries(params).filter((pair): pair is [string, string] => Boolean(pair[1])));
  return query.size > 0 ? `${path}?${query}` : path;
};

export const fetchQueue = (view: ViewName, cursor?: string, signal?: AbortSignal): Promise<QueuePage> =>
  getJson(withQuery("/api/console/changes", { view, cursor }), signal);

/** The head of a view: its newest rows and the counts of all views. */
export const queueQuery = (view: ViewName) =>
  queryOptions({ queryKey: ["changes", view], queryFn: ({ signal }) => fetchQueue(view, undefined, signal), refetchInterval: LIVE, staleTime: LIVE });

export const changeQuery = (id: string) =>
  queryOptions({
    queryKey: ["change", id],
    queryFn: ({ signal }) => getJson<ChangeView>(`/api/console/changes/${encodeURIComponent(id)}`, signal),
    refetchInterval: liveOnceRead,
    staleTime: LIVE,
  });

export const ordersQuery = (query: string) =>
  infiniteQueryOptions({
    queryKey: ["orders", query],
    queryFn: ({ pageParam, signal }) => getJson<OrderPage>(withQuery("/api/console/orders", { query, cursor: pageParam }), signal),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
    staleTime: LIVE,
  });

export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: ["order", id],
    queryFn: ({ signal }) => getJson<OrderView>(`/api/console/orders/${encodeURIComponent(id)}`, signal),
    refetchInterval: liveOnceRead,
    staleTime: LIVE,
  });

export type HistoryFilters = Record<string, string | undefined>;
const HISTORY = "/api/console/history";

export const historyQuery = (filters: HistoryFilters) =>
  infiniteQueryOptions({
    queryKey: ["history", filters],
    queryFn: ({ pageParam, signal }) => getJson<HistoryPage>(withQuery(HISTORY, { ...filters, cursor: pageParam }), signal),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
    staleTime: LIVE,
  });

export const historySumsQuery = (filters: HistoryFilters) =>
  queryOptions({ queryKey: ["history sums", filters], queryFn: ({ signal }) => getJson<HistorySums>(withQuery(`${HISTORY}/sums`, filters), signal), staleTime: LIVE });

export const exportPath = (filters: HistoryFilters, format: string): string => withQuery(`${HISTORY}/export`, { ...filters, format });

export const fetchAudit = (before?: number, signal?: AbortSignal): Promise<AuditView> =>
  getJson(withQuery("/api/console/audit", { before: before?.toString() }), signal);

/** The head of the log, the totals and the last check. */
export const auditQuery = () =>
  queryOptions({ queryKey: ["audit"], queryFn: ({ signal }) => fetchAudit(undefined, signal), refetchInterval: LIVE, staleTime: LIVE });

/** The kill switch, and whether a policy waits for the viewer: on every page. */
export const standingQuery = () =>
  queryOptions({ queryKey: ["standing"], queryFn: ({ signal }) => getJson<StandingView>("/api/console/standing", signal), refetchInterval: LIVE, staleTime: LIVE });

export const fetchPolicy = (before?: number, signal?: AbortSignal): Promise<PolicyView> =>
  getJson(withQuery("/api/console/policy", { before: before?.toString() }), signal);

/** The policy in force, what is proposed and the newest versions. */
export const policyQuery = () =>
  queryOptions({ queryKey: ["policy"], queryFn: ({ signal }) => fetchPolicy(undefined, signal), refetchInterval: LIVE, staleTime: LIVE });

/** A page of the past, judged by a draft. */
export const tryPage = (input: TryInput, signal: AbortSignal): Promise<TriedPage> => postJson("/api/console/policy/try", input, signal);
