import { chromium, devices, type Browser, type BrowserContextOptions, type Page } from "@playwright/test";
import { mkdirSync } from "node:fs";
import { demo, member, signIn } from "../e2e/demo";
import { browserInstall, browserOptions } from "./browser.mjs";
import { connected } from "./databases.mjs";

// Every screen of the running demo, as it looks by day, by night, on a phone and at 200 %, into screenshots/.

const FOLDER = "screenshots";
const LOOKS: Record<string, BrowserContextOptions> = {
  light: { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
  phone: { ...devices["iPhone 14"], colorScheme: "light" },
  zoomed: { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2, colorScheme: "light" }, // 200 %
};

type Screen = { name: string; path: string };

/** One change of each state that there is, and the orders they are about. */
async function screensNow(): Promise<Screen[]> {
  const changes = await connected(demo.databaseUrl, async (client) => {
    await client.query("SELECT set_config('undersigned.merchant', $1, false)", [demo.merchant.id]); // row-level security shows no other
    const { rows } = await client.query<{ state: string; id: string; order_id: string }>(
      "SELECT DISTINCT ON (state) state, id, order_id FROM change WHERE merchant_id = $1 ORDER BY state, staged_seq DESC",
      [demo.merchant.id],
    );
    return rows;
  });
  const order = changes[0]?.order_id;
  return [
    { name: "changes", path: "/changes" },
    ...changes.map(({ state, id }) => ({ name: `change-${state}`, path: `/changes/${id}` })),
    { name: "orders", path: "/orders" },
    ...(order ? [{ name: "order", path: `/orders/${order}` }] : []),
    { name: "history", path: "/history" },
    { name: "audit", path: "/audit" },
    { name: "policy", path: "/policy" },
    { name: "agents", path: "/agents" },
    { name: "settings", path: "/settings" },
    { name: "not-found", path: "/changes/chg-0000000000" },
  ];
}

async function shoot(page: Page, name: string, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForLoadState("networkidle", { timeout: 3000 }).catch(() => undefined); // a live page never idles
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const window = page.viewportSize() ?? { width: 0, height: 0 };
  const { height, wider } = await page.evaluate(() => {
    const { scrollHeight, scrollWidth, clientWidth } = document.documentElement;
    return { height: scrollHeight, wider: scrollWidth - clientWidth };
  });
  const file = `${FOLDER}/${name}.png`;
  await page.setViewportSize({ ...window, height }); // all of it, with what sticks to the bottom at the bottom
  await page.screenshot({ path: file, animations: "disabled" });
  await page.setViewportSize(window);
  console.log(wider > 0 ? `${file}  wider than the window by ${wider} pixels` : file);
}

async function shootAll(browser: Browser, look: string, screens: Screen[]): Promise<void> {
  const context = await browser.newContext({ ...LOOKS[look], baseURL: demo.url });
  const page = await context.newPage();
  page.on("pageerror", (error) => console.log(`${page.url()}: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && console.log(`${page.url()}: ${message.text()}`));
  await shoot(page, `sign-in-${look}`, "/sign-in");
  await signIn(page, member("operator"));
  for (const { name, path } of screens) await shoot(page, `${name}-${look}`, path);
  await context.clearCookies();
  await signIn(page, member("auditor"));
  await shoot(page, `audit-as-auditor-${look}`, "/audit");
  for (const { name, path } of screens.filter((screen) => screen.name === "order")) await shoot(page, `${name}-as-auditor-${look}`, path);
  await context.close();
}

const options = browserOptions();
if (!options) throw new Error(`This needs a browser: ${browserInstall()}`);
mkdirSync(FOLDER, { recursive: true });
const browser = await chromium.launch(options);
const screens = await screensNow();
for (const look of Object.keys(LOOKS)) await shootAll(browser, look, screens);
await browser.close();
