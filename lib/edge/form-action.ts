import { refresh } from "next/cache";
import { unstable_rethrow } from "next/navigation";
import { z } from "zod";
import type { Ctx, PersonActor } from "../kernel/context";
import { count } from "../kernel/metrics";
import { Refusal } from "../kernel/refusal";
import type { FormState, Refused } from "./form-state";
import { currentCaller, type Caller } from "./request-context";
import type { Outage } from "../database/outage";
import { tellFault } from "./fault";
import { currentRequestId, note } from "./request-notes";

type Outcome<R> = { status: "done"; result: R } | Refused;
type Action<R> = (previous: FormState<R>, form: FormData) => Promise<FormState<R>>;

/** A form as a server action of the signed-in person: the form by its schema, the verb, and what is on the screen read again. */
export const formAction = <S extends z.ZodType, R>(schema: S, verb: (ctx: Ctx<PersonActor>, input: z.infer<S>) => Promise<R>): Action<R> =>
  async (_previous, form) => {
    const outcome = await submit(form, schema, signedIn, verb);
    if (outcome.status === "done") refresh();
    return outcome;
  };

/** A form of someone who is not signed in. */
export const publicAction = <S extends z.ZodType, R>(schema: S, verb: (input: z.infer<S>) => Promise<R>): Action<R> =>
  (_previous, form) => submit(form, schema, async () => null, (_nobody, input) => verb(input));

/** What a page asks for by itself: nobody waits for an answer, and whoever is not signed in is not heard. */
export const quietAction = <A extends unknown[]>(run: (caller: Caller, ...sent: A) => Promise<unknown>) => async (...sent: A): Promise<void> => {
  try {
    const caller = await currentCaller();
    if (caller) await run(caller, ...sent);
  } catch (error) {
    unstable_rethrow(error);
    if (error instanceof Refusal) refused(error);
    else faulted(error);
  }
};

/** The caller, the form, the verb; a refusal or a fault becomes a state of the form, which keeps what was typed. Redirects belong to Next. */
export async function submit<S extends z.ZodType, C, R>(form: FormData, schema: S, enter: () => Promise<C>, run: (caller: C, input: z.infer<S>) => Promise<R>): Promise<Outcome<R>> {
  try {
    const caller = await enter();
    const parsed = schema.safeParse(valuesOf(form));
    if (!parsed.success) throw new Refusal("invalid_input", { fields: z.flattenError(parsed.error).fieldErrors as Record<string, string[]> });
    return { status: "done", result: await run(caller, parsed.data) };
  } catch (error) {
    unstable_rethrow(error);
    return error instanceof Refusal ? refused(error) : faulted(error);
  }
}

function refused({ code, message, more: { moved = [], fields = {} } }: Refusal): Refused {
  note({ code });
  count("undersigned_refusals", { code });
  return { status: "refused", code, message, moved, fields };
}

const FAILED: Record<Outage | "other", string> = {
  disk_full: "The database's disk is full", busy: "The database is busy", unreachable: "The database does not answer", other: "Something failed on our side",
};

/** Nothing of the failure is told but its reference: what went wrong stands in the log. */
function faulted(error: unknown): Refused {
  const reference = currentRequestId();
  const outage = tellFault(error, reference);
  const message = `${FAILED[outage ?? "other"]}. What you entered is still here; look whether it was done before you send it again. Reference ${reference}`;
  return { ...refused(new Refusal("unavailable", { detail: message })), reference };
}

export async function signedIn(): Promise<Ctx<PersonActor>> {
  const caller = await currentCaller();
  if (!caller) throw new Refusal("unauthenticated");
  return caller.ctx;
}

/** What a form says in text, without what Next adds to it. */
export const textsOf = (form: FormData): [string, string][] =>
  [...form].filter((pair): pair is [string, string] => typeof pair[1] === "string" && !pair[0].startsWith("$"));

/** A name that was sent several times has all of its values. */
function valuesOf(form: FormData): Record<string, string | string[]> {
  const values = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of textsOf(form)) values[name] = name in values ? [values[name]!, value].flat() : value;
  return values;
}
