import { render } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { OrderRow, OrderView } from "@/lib/changes/view";
import { DecisionsProvider, type Actions } from "@/components/changes/decisions";
import { ChangesDesk } from "@/components/changes/desk";
import { aChange, aPage } from "@/components/changes/testing";
import { OrderRows } from "@/components/orders/order-rows";
import { OrderSheet } from "@/components/orders/order-sheet";
import { Providers } from "@/components/shell/providers";

// Whatever a shop calls its goods and its customers: hidden characters show wherever the name does.

const HIDDEN = "\u202e\u200b";
const hiding = (text: string): string => `${HIDDEN}${text}`;
const SHOWN = ["U+202E right-to-left override", "U+200B zero width space"];
const row = { ...aPage(["chg-aaaaaaaaaa"]).items[0]!, headline: hiding("CAKESTAND"), customer: hiding("Ada") };
const change = aChange({ id: row.id });
const evil = { ...change, lines: change.lines.map((line) => ({ ...line, title: hiding("CAKESTAND") })), customer: { ...change.customer, name: hiding("Ada"), country: hiding("Norway") } };
const order: OrderView = {
  id: "ord-aaaaaaaaaa", number: "537331", placedAt: "2026-11-30T14:03:05.551Z", currency: "GBP", customer: evil.customer, shippingMinor: "0", shippingRefundedMinor: "0", shippingHeldMinor: "0", proposal: null, conflicts: [],
  lines: [{ id: "lin-aaaaaaaaaa", title: hiding("CAKESTAND"), sku: hiding("SKU"), quantity: 1, paidMinor: "4500", refundedMinor: "0", heldMinor: "0", refundedQuantity: 0, heldQuantity: 0 }],
  payment: { id: "pay-aaaaaaaaaa", capturedMinor: "4500", refundedMinor: "0", heldMinor: "0", disputedMinor: "0", stagedMinor: "4500", refundableMinor: "4500" }, changes: [row], refunds: [],
};
const rows: OrderRow[] = [{ ...order, customer: hiding("Ada"), lines: 1, pieces: 1, ...order.payment, id: order.id }];

vi.mock("next/navigation", () => ({ usePathname: () => "/changes" }));
beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
  vi.stubGlobal("fetch", () => new Promise(() => {}));
  Element.prototype.scrollIntoView = () => {};
});

test.each([
  ["the queue and a change", 4, <ChangesDesk key="1" view="waiting" page={{ ...aPage([row.id]), items: [row] }} change={evil} />],
  ["the list of orders", 2, <OrderRows key="2" rows={rows} />],
  ["an order, its lines and its changes", 5, <OrderSheet key="3" id={order.id} initial={order} propose={() => Promise.resolve({ status: "idle" })} />],
])("%s", (_, places, screen) => {
  const { container } = render(
    <Providers nonce={undefined} zone="UTC" now="2026-11-30T15:00:00.000Z" theme="system" shortcuts><DecisionsProvider actions={{} as Actions}>{screen}</DecisionsProvider></Providers>,
  );
  for (const char of HIDDEN) expect(`${document.title}${container.innerHTML}`).not.toContain(char);
  for (const mark of SHOWN) expect(container.textContent!.split(mark).length - 1).toBeGreaterThanOrEqual(places);
});
