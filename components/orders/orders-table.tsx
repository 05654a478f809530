"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { OrderPage } from "@/lib/changes/view";
import { ordersQuery } from "@/lib/browser/queries";
import { Empty } from "@/components/ui/empty";
import { Failure } from "@/components/ui/failure";
import { LoadMore } from "@/components/ui/load-more";
import { SkeletonRows } from "@/components/ui/skeleton";
import { OrderRows } from "./order-rows";
import { OrderSearch } from "./order-search";

const TYPING = 250;

/** Every order, newest first; found by number or customer. */
export function OrdersTable({ initial, query: asked }: { initial: OrderPage; query: string }) {
  const [typed, setTyped] = useState(asked);
  const query = useSettled(typed.trim(), TYPING);
  const list = useInfiniteQuery({
    ...ordersQuery(query),
    ...(query === asked && { initialData: { pages: [initial], pageParams: [""] } }),
  });

  const { data, error, isFetching, isFetchingNextPage, refetch } = list;

  useEffect(() => {
    const address = query ? `/orders?query=${encodeURIComponent(query)}` : "/orders";
    if (address !== location.pathname + location.search) window.history.replaceState(null, "", address);
  }, [query]);

  const rows = data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <main id="content" className="min-h-[calc(100dvh-var(--u-bar))] bg-sheet px-6 pt-4 pb-8 one:px-4">
      <header className="flex flex-wrap items-end justify-between gap-3">
        <h1 className="text-xl font-semibold tracking-[-0.01em]">Orders</h1>
        <OrderSearch value={typed} busy={isFetching && !isFetchingNextPage} onChange={setTyped} />
      </header>
      {!data && error && <Failure what="The orders could not be read." notDone="Nothing was changed." retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows label="Loading orders" />}
      {data && rows.length === 0 && <Empty fact={query ? "No order matches." : "No orders yet."}>{query ? "Orders are found by their number or the customer’s name." : "They appear here when they are imported."}</Empty>}
      {rows.length > 0 && <OrderRows rows={rows} />}
      {rows.length > 0 && <LoadMore of={list} />}
    </main>
  );
}

/** A value that is handed on when it has not changed for `wait` milliseconds. */
function useSettled(value: string, wait: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), wait);
    return () => clearTimeout(timer);
  }, [value, wait]);
  return settled;
}
