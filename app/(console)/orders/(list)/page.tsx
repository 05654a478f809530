import type { Metadata } from "next";
import { OrdersTable } from "@/components/orders/orders-table";
import { listOrders } from "@/lib/changes/order-view";
import { requireContext } from "@/lib/edge/request-context";

export const metadata: Metadata = { title: "Orders" };

export default async function OrdersPage({ searchParams }: { searchParams: Promise<{ query?: string | string[] }> }) {
  const [{ ctx }, { query: asked }] = await Promise.all([requireContext(), searchParams]);
  const query = typeof asked === "string" ? asked.trim().slice(0, 200) : "";
  return <OrdersTable query={query} initial={await listOrders(ctx, query ? { query } : {})} />;
}
