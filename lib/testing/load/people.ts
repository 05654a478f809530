import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hashPassword } from "../../identity/passwords";
import type { RefusalCode } from "../../kernel/refusal";
import type { TestPerson } from "../factories";
import { everyMerchant } from "../owner";
import { actionForm, actionTold } from "./action";
import type { Asked, Told } from "./decide";

/** How a person's step is sent to a process, and how its answer is read. `init` is told the process's address. */
export type Step = { path: string; init: (origin: string) => RequestInit; hear: (answer: Response) => Promise<Told> };
export type People = (asked: Asked) => Step;

/** To a process of handlers (scripts/api-process.ts). */
export const throughHandlers: People = (asked) => ({
  path: "/person",
  init: () => ({ method: "POST", body: JSON.stringify(asked) }),
  hear: async (answer) => ({ status: answer.status, body: (await answer.json()) as Told["body"] }),
});

const PASSWORD = "correct horse battery staple";

/** To the product's own server, as a browser does: signed in by password, looking over the console's route, deciding by server action. */
export async function throughPages(url: string, people: readonly TestPerson[], distDir: string): Promise<People> {
  const cookies = new Map<string, string>();
  const passwordHash = await hashPassword(PASSWORD);
  for (const { personId } of people) {
    const { email } = await everyMerchant().person.update({ where: { id: personId }, data: { passwordHash } });
    cookies.set(personId, await signIn(url, email!));
  }
  const actions = actionsIn(distDir);
  return ({ person: { id }, verb, form }) => {
    const cookie = cookies.get(id)!;
    if (verb === "look") return { path: `/api/console/changes/${form.changeId}`, init: () => ({ headers: { cookie } }), hear: heardLook };
    const fields = { changeId: form.changeId, seenDigest: form.seenDigest, ...(verb === "approve" && { seenFactsDigest: form.seenFactsDigest }), ...(verb === "reject" && { code: "other", reason: "Not shown to be damaged" }) };
    const headers = (origin: string) => ({ cookie, origin, accept: "text/x-component", "next-action": actions.get(verb)! });
    return { path: `/changes/${form.changeId}`, init: (origin) => ({ method: "POST", redirect: "manual", headers: headers(origin), body: actionForm(fields) }), hear: heardAction };
  };
}

/** Signs in as the page does; gives the cookies that a browser would keep. */
async function signIn(url: string, email: string): Promise<string> {
  const asked = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = (await asked.json()) as { csrfToken: string };
  const answer = await fetch(`${url}/api/auth/callback/credentials`, { method: "POST", redirect: "manual", headers: { cookie: cookiesOf(asked), origin: url }, body: new URLSearchParams({ csrfToken, email, password: PASSWORD }) });
  const cookies = cookiesOf(answer);
  if (!cookies.includes("session-token")) throw new Error(`nobody was signed in as ${email}: ${answer.status}`);
  return cookies;
}

const cookiesOf = (answer: Response): string => answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0]!).join("; ");

type Manifest = { node: Record<string, { filename: string; exportedName: string }> };

/** The ids of the decisions' server actions in a build. */
function actionsIn(distDir: string): Map<string, string> {
  const { node } = JSON.parse(readFileSync(join(distDir, "server/server-reference-manifest.json"), "utf8")) as Manifest;
  return new Map(Object.entries(node).filter(([, { filename }]) => filename === "app/(console)/changes/actions.ts").map(([id, { exportedName }]) => [exportedName, id]));
}

async function heardLook(answer: Response): Promise<Told> {
  const { id, digest, factsDigest, code } = (await answer.json()) as { id?: string; digest: string; factsDigest: string; code?: RefusalCode };
  return { status: answer.status, body: answer.ok && id ? { form: { changeId: id, seenDigest: digest, seenFactsDigest: factsDigest } } : { code } };
}

async function heardAction(answer: Response): Promise<Told> {
  const told = actionTold<{ status: "done" } | { status: "refused"; code: RefusalCode }>(await answer.text());
  if (!told) return { status: 503, body: { fault: `an action answered ${answer.status}` } };
  return told.status === "done" ? { status: 200, body: { done: true } } : { status: told.code === "unavailable" ? 503 : 409, body: { code: told.code } };
}
