import type { APIResponse } from "@playwright/test";
import { demo, expect, signInQuickly, test } from "./story";
import { openShop, sell } from "./shop";

const EVERYWHERE = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "strict-transport-security": "max-age=63072000; includeSubDomains",
};

function carriesHeaders(answer: APIResponse): void {
  const headers = answer.headers();
  expect(headers, answer.url()).toMatchObject(EVERYWHERE);
  expect(headers["permissions-policy"]).toContain("payment=()");
  expect(headers).not.toHaveProperty("x-powered-by");
}

test("every page has a policy of its own, and scripts that carry its nonce", async ({ browser, baseURL }) => {
  const shop = await openShop();
  const order = await sell(shop);
  const { id } = await shop.agent.propose(order, 1000n);
  const context = await browser.newContext({ baseURL });
  await signInQuickly(context, shop.maya);
  for (const path of ["/sign-in", "/changes", `/changes/${id}`, "/orders", `/orders/${order.id}`, "/audit", "/agents", "/settings", "/changes/chg-0000000000", "/nowhere"]) {
    const answer = await context.request.get(path);
    carriesHeaders(answer);
    const policy = answer.headers()["content-security-policy"] ?? "";
    const nonce = /script-src 'self' 'nonce-([A-Za-z0-9+/=]{24})' 'strict-dynamic';/.exec(policy)?.[1];
    expect(nonce, path).toBeDefined();
    for (const part of ["default-src 'self'", "object-src 'none'", "base-uri 'self'", "form-action 'self'", "frame-ancestors 'none'", "connect-src 'self'"]) expect(policy).toContain(part);
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/);
    const scripts = (await answer.text()).match(/<script\b[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((script) => !script.includes(`nonce="${nonce}"`)), path).toEqual([]);
  }
  await context.close();
});

test("the API allows nothing to be loaded, is not kept by caches, and names each request", async ({ request }) => {
  const shop = await openShop();
  const key = { authorization: `Bearer ${shop.agent.secret}` };
  const answers = [
    await request.get("/api/v1/orders", { headers: key }),
    await request.get("/api/v1/orders"),
    await request.get("/api/v1/nowhere", { headers: key }),
    await request.post("/api/v1/changes", { headers: key, data: "{" }),
    await request.get(`/api/v1/log/${shop.merchant.id}/bundle`, { headers: key }),
    await request.get("/api/console/changes"),
    await request.get("/api/health"),
  ];
  expect(answers.map((answer) => answer.status())).toEqual([200, 401, 404, 415, 200, 401, 200]);
  for (const answer of answers) {
    carriesHeaders(answer);
    expect(answer.headers()["content-security-policy"], answer.url()).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(answer.headers()["cache-control"], answer.url()).toContain("no-store");
    if (!answer.ok()) expect(answer.headers()["content-type"]).toBe("application/problem+json");
  }
});

test("a server action from another origin is refused", async ({ browser, baseURL }) => {
  const shop = await openShop();
  const context = await browser.newContext({ baseURL });
  await signInQuickly(context, shop.maya);
  const answer = await context.request.post("/changes", { headers: { "next-action": "7f".padEnd(42, "0"), origin: "https://evil.example" }, multipart: { 0: "[]" } });
  expect(answer.ok()).toBe(false);
  const session = (await context.cookies(demo.url)).find(({ name }) => name === "next-auth.session-token");
  expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax" });
  await context.close();
});
