import { everyMerchant } from "../lib/testing/owner";
import { actionOf, approve, bar, becomes, call, demo, expect, openChange, opens, press, readChange, reject, test, type Action } from "./story";
import { openShop, sell } from "./shop";

const UNKNOWN = { change: "chg-0000000000", order: "ord-0000000000" };

test("another merchant's pages are pages that do not exist", async ({ enter }) => {
  const [ours, theirs] = await Promise.all([openShop(), openShop()]);
  const order = await sell(theirs);
  const change = await theirs.agent.propose(order, 1000n);
  const page = await enter(ours.maya);
  const texts: string[] = [];
  for (const path of [`/changes/${change.id}`, `/changes/${UNKNOWN.change}`, `/orders/${order.id}`, `/orders/${UNKNOWN.order}`]) {
    const answer = await page.goto(path);
    await expect(page.getByRole("main").getByText("There is no such thing here.")).toBeVisible();
    expect(answer?.status()).toBe(404);
    texts.push(`${answer?.status()} ${await page.getByRole("main").innerText()}`);
  }
  expect(new Set(texts).size).toBe(1);
});

test("another merchant's ids answer as ids that do not exist, to a cookie and to a key", async ({ enter }) => {
  const [ours, theirs] = await Promise.all([openShop(), openShop()]);
  const order = await sell(theirs);
  const change = await theirs.agent.propose(order, 1000n);
  const page = await enter(ours.maya);
  const key = { authorization: `Bearer ${ours.agent.secret}` };
  const told = async (path: string, headers?: Record<string, string>) => {
    const answer = await page.request.get(path, { headers });
    const { requestId: _, ...body } = await answer.json();
    return { status: answer.status(), body };
  };
  const pairs = [
    [`/api/console/changes/${change.id}`, `/api/console/changes/${UNKNOWN.change}`],
    [`/api/console/orders/${order.id}`, `/api/console/orders/${UNKNOWN.order}`],
    [`/api/v1/changes/${change.id}`, `/api/v1/changes/${UNKNOWN.change}`],
    [`/api/v1/orders/${order.id}`, `/api/v1/orders/${UNKNOWN.order}`],
    [`/api/v1/log/${theirs.merchant.id}/bundle`, "/api/v1/log/mer-0000000000/bundle"],
  ] as const;
  for (const [foreign, unknown] of pairs) {
    expect(await told(foreign)).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await told(foreign)).toEqual(await told(unknown));
    if (foreign.startsWith("/api/v1")) expect(await told(foreign, key)).toEqual(await told(unknown, key));
  }
  await expect(ours.agent.propose(order, 1000n)).rejects.toThrow("not_found");
});

test("a server action replayed with another merchant's change does to it what it does to none", async ({ enter }) => {
  const [ours, theirs] = await Promise.all([openShop(), openShop()]);
  const own = await ours.agent.propose(await sell(ours), 1000n);
  const foreign = await theirs.agent.propose(await sell(theirs), 1000n);
  const [maya, their] = await Promise.all([enter(ours.maya), enter(theirs.maya)]);
  await openChange(maya, own.id);
  const actions: Action[] = [
    await actionOf(maya, () => approve(maya, "£10.00")),
    await actionOf(maya, () => press(maya, "Take back")),
    await actionOf(maya, () => reject(maya, "Not covered.")),
  ];
  await becomes(maya, own.id, "rejected");
  const seen = await (await their.request.get(`/api/console/changes/${foreign.id}`)).json();
  for (const { fields, ...action } of actions) {
    const told = async (changeId: string) => ({ ...(await call(maya, { ...action, fields: { ...fields, changeId, seenDigest: seen.digest, seenFactsDigest: seen.factsDigest } })), values: {}, changeId });
    expect(await told(foreign.id)).toMatchObject({ status: "refused", code: "not_found" });
    expect(await told(foreign.id)).toEqual({ ...(await told(UNKNOWN.change)), changeId: foreign.id });
  }
  expect(await readChange(their, foreign.id)).toMatchObject({ state: "staged", entries: [{ type: "change.staged" }] });
});

test("members, agents and keys of another merchant answer an admin's actions as ones that do not exist", async ({ enter }) => {
  const [ours, theirs] = await Promise.all([openShop(), openShop()]);
  const ines = await enter(ours.ines);
  const foreign = await everyMerchant().member.findFirstOrThrow({ where: { merchantId: theirs.merchant.id, personId: theirs.merchant.tom.personId } });
  const pressed = (button: string | RegExp, deed: string) => actionOf(ines, async () => {
    await opens(ines, button);
    await ines.getByRole("button", { name: deed, exact: true }).click();
  });
  await ines.goto("/settings");
  const actions = [await pressed("Change the role of Helen Marsh", "Change the role")];
  await ines.goto("/settings");
  actions.push(await pressed("New sign-in link for Helen Marsh", "Make a link"));
  await ines.goto("/settings");
  actions.push(await pressed("Remove Helen Marsh", "Remove"));
  await ines.goto("/agents");
  actions.push(await pressed("Create a key for returns-desk", "Create the key"));
  await ines.goto("/agents");
  actions.push(await pressed(`Rotate key ${ours.merchant.agent.keyId}`, "Rotate"));
  await ines.goto("/agents");
  actions.push(await pressed(`Revoke key ${ours.merchant.agent.keyId}`, "Revoke"));

  const theirsById: Record<string, string> = { memberId: foreign.id, agentId: theirs.merchant.agent.id, keyId: theirs.merchant.agent.keyId };
  const unknownById: Record<string, string> = { memberId: "mem-0000000000", agentId: "agt-0000000000", keyId: "key-0000000000" };
  const before = await everyMerchant().entry.count({ where: { merchantId: theirs.merchant.id } });
  for (const { fields, ...action } of actions) {
    const told = (ids: Record<string, string>) => call(ines, { ...action, fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, ids[name] ?? value])) });
    expect(await told(theirsById)).toMatchObject({ status: "refused", code: "not_found" });
    expect(await told(theirsById)).toEqual(await told(unknownById));
  }
  expect(await everyMerchant().entry.count({ where: { merchantId: theirs.merchant.id } })).toBe(before);
  expect((await fetch(`${demo.url}/api/v1/policy`, { headers: { authorization: `Bearer ${theirs.agent.secret}` } })).status).toBe(200);
});

test("whoever is not signed in sees no page and reads nothing", async ({ page, request }) => {
  for (const path of ["/changes", `/changes/${UNKNOWN.change}`, "/orders", "/audit", "/agents", "/settings", "/changes?view=second"]) {
    await page.goto(path);
    await expect(page).toHaveURL(`/sign-in?callbackUrl=${encodeURIComponent(path)}`);
  }
  for (const path of ["/api/console/changes", "/api/console/orders", "/api/console/audit", `/api/v1/changes/${UNKNOWN.change}`, `/api/v1/log/${demo.merchant.id}/bundle`]) {
    const answer = await request.get(path);
    expect(answer.status()).toBe(401);
    expect(await answer.json()).toMatchObject({ code: "unauthenticated" });
  }
});

test("after signing out the cookie is worth nothing, wherever it was copied to", async ({ enter, playwright }) => {
  const shop = await openShop();
  const { id } = await shop.agent.propose(await sell(shop), 1000n);
  const page = await enter(shop.maya);
  await openChange(page, id);
  const action = await actionOf(page, () => approve(page, "£10.00"));
  await expect(bar(page)).toContainText("Takes effect");
  const copied = await playwright.request.newContext({ baseURL: demo.url, storageState: await page.context().storageState() });
  expect((await copied.get("/api/console/changes")).status()).toBe(200);

  await page.getByRole("button", { name: /account and preferences/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  for (const path of ["/api/console/changes", `/api/console/changes/${id}`, "/api/v1/orders"]) expect((await copied.get(path)).status()).toBe(401);
  expect((await copied.get(`/changes/${id}`, { maxRedirects: 0 })).headers().location).toContain("/sign-in");
  expect(await call({ request: copied }, action)).toMatchObject({ status: "refused", code: "unauthenticated" });
  await copied.dispose();
});
