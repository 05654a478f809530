import type { Metadata } from "next";
import { OrderSheet } from "@/components/orders/order-sheet";
import { readOrder } from "@/lib/changes/order-view";
import { requireContext } from "@/lib/edge/request-context";
import { orNotFound } from "../../or-not-found";
import { propose } from "../actions";

export const metadata: Metadata = { title: "An order" };

export default async function OrderPage({ params }: { params: Promise<{ id: string }> }) {
  const [{ ctx }, { id }] = await Promise.all([requireContext(), params]);
  return <OrderSheet id={id} propose={propose} initial={await orNotFound(readOrder(ctx, id))} />;
}
