import type { BrowserContext, BrowserContextOptions, Locator, Page } from "@playwright/test";
import { demo, expect as baseExpect, test as base, watch } from "./demo";
import type { DecisionState } from "../lib/changes/view";
import { actionForm, actionTold } from "../lib/testing/load/action";
import type { Login } from "./shop";

type Enter = (login: Login, options?: BrowserContextOptions) => Promise<Page>;

/** Each person of a story has a browser of their own; whatever a page complains of fails the story. */
export const test = base.extend<{ enter: Enter }>({
  enter: async ({ browser, baseURL }, lend) => {
    const contexts: BrowserContext[] = [];
    const complaints: string[] = [];
    await lend(async (login, options) => {
      const context = await browser.newContext({ baseURL, ...options });
      contexts.push(context);
      context.on("page", (page) => watch(page, complaints));
      await signInQuickly(context, login);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
    expect(complaints).toEqual([]);
  },
});

export { demo };

/** Patient: a screen asks again every few seconds, and the machine may be busy. */
export const expect = baseExpect.configure({ timeout: 15_000 });

/** By the sign-in page's own request, without the page. */
export async function signInQuickly(context: BrowserContext, { email, password }: Login): Promise<void> {
  const { csrfToken } = await (await context.request.get("/api/auth/csrf")).json();
  const answer = await context.request.post("/api/auth/callback/credentials", { form: { csrfToken, email, password, json: "true" } });
  expect(answer.ok()).toBe(true);
}

/** The foot of a change: what binds, the lines for names, the buttons. */
export const bar = (page: Page): Locator => page.getByLabel("Decision", { exact: true });
/** Strokes drawn on lines of the foot. */
export const ink = (page: Page): Locator => bar(page).locator('li svg[viewBox="0 0 120 32"]');
export const row = (page: Page, number: string): Locator => page.getByRole("list", { name: "Changes" }).getByRole("link", { name: number });

export async function openChange(page: Page, id: string): Promise<void> {
  await page.goto(`/changes/${id}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

export const dialog = (page: Page): Locator => page.getByRole("dialog");

/** Opens the dialog of a button: a press in the first moment of a page is not taken. */
export async function opens(page: Page, button: string | RegExp): Promise<void> {
  await expect(async () => {
    if (!(await dialog(page).isVisible())) await page.getByRole("button", { name: button }).click({ timeout: 2000 });
    await expect(dialog(page)).toBeVisible({ timeout: 2000 });
  }).toPass();
}

/** Presses a button of the foot until it is gone: a press in the first moment of a change is not taken. */
export async function press(page: Page, name: string | RegExp): Promise<void> {
  const button = bar(page).getByRole("button", { name });
  await expect(button).toBeVisible();
  await expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 2000 });
    await expect(button).toBeHidden({ timeout: 2000 });
  }).toPass();
}

/** Keeps back what the page sends to decide, until the returned function is called. */
export async function holdDecisions(page: Page): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => { release = resolve; });
  await page.route(isDecision, async (route) => {
    if (route.request().method() === "POST") await released;
    await route.continue();
  });
  return release;
}

const isDecision = ({ pathname }: URL): boolean => pathname.startsWith("/changes");

export type Action = { id: string; path: string; fields: Record<string, string> };

/** The server action that a press calls, and the form that goes with it. */
export async function actionOf(page: Page, pressing: () => Promise<void>): Promise<Action> {
  const [request] = await Promise.all([page.waitForRequest((each) => each.method() === "POST" && "next-action" in each.headers()), pressing()]);
  const parts = (request.postData() ?? "").matchAll(/name="_1_(\w+)"\r\n\r\n([^]*?)\r\n--/g);
  return { id: request.headers()["next-action"] ?? "", path: new URL(request.url()).pathname, fields: Object.fromEntries([...parts].map(([, name, value]) => [name, value])) };
}

/** Calls a server action by hand, with this page's cookie and a form of the caller's making. */
export async function call(page: Pick<Page, "request">, { id, path, fields }: Action): Promise<DecisionState> {
  const headers = { "next-action": id, accept: "text/x-component", origin: demo.url };
  const answer = await page.request.post(path, { headers, multipart: actionForm(fields) });
  const told = actionTold<DecisionState>(await answer.text());
  if (!told) throw new Error(`the action answered ${answer.status()} and told nothing`);
  return told;
}

/** Signs the change on screen, which asks for this much. */
export const approve = (page: Page, amount: string): Promise<void> => press(page, `Approve ${amount}`);

/** Rejects through the dialog. */
export async function reject(page: Page, reason: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: /^Reject the refund/ });
  await expect(async () => {
    if (!(await dialog.isVisible())) await bar(page).getByRole("button", { name: /^Reject/ }).click({ timeout: 2000 });
    await expect(dialog).toBeVisible({ timeout: 2000 });
  }).toPass();
  await dialog.getByRole("textbox").fill(reason);
  await dialog.getByRole("button", { name: "Reject", exact: true }).click();
}

/** Entries about a change, newest first, as its page shows them. */
export const timeline = (page: Page): Locator => page.locator("ol.chain > li");

type Read = { state: string; amountMinor: string; entries: { type: string }[]; payment: { refundedMinor: string } };
export const readChange = (page: Page, id: string): Promise<Read> => read(page, `/api/console/changes/${id}`);

/** Resolves when the change has come to this state, whatever is on the screen. */
export const becomes = (page: Page, id: string, state: string | RegExp): Promise<void> => expect.poll(async () => (await readChange(page, id)).state).toMatch(state);

/** "staged", "approved", …: the entries about a change, oldest first. */
export const types = ({ entries }: Read): string[] => entries.map(({ type }) => type.slice("change.".length)).toReversed();

/** The JSON of a console route, as this page's person reads it. */
export async function read<T>(page: Page, path: string): Promise<T> {
  const answer = await page.request.get(path);
  expect(answer.status()).toBe(200);
  return answer.json() as Promise<T>;
}
