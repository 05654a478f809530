import { Button } from "./button";

type Query = { hasNextPage: boolean; isFetchingNextPage: boolean; isFetchNextPageError: boolean; fetchNextPage: () => Promise<unknown> };

/** The foot of a list that has more than it shows. */
export function LoadMore({ of: { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } }: { of: Query }) {
  if (!hasNextPage) return null;
  return (
    <p className="mt-3 flex items-center justify-center gap-3">
      <Button onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>{isFetchingNextPage ? "Loading…" : "Load more"}</Button>
      {isFetchNextPageError && <span role="alert" className="text-failed">No answer. Nothing was loaded.</span>}
    </p>
  );
}
