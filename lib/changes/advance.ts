import type { Json } from "../kernel/canonical-json";
import type { EntryActor } from "../kernel/context";
import { Refusal } from "../kernel/refusal";
import type { Ledger } from "../ledger/commit";
import type { Appended } from "../log/append";
import { canAdvance, LIFECYCLE, type Verb } from "./lifecycle";
import type { LoadedChange } from "./load";

export type Advanced<C> = { change: C; entry: Appended };
type Movable = Pick<LoadedChange, "id" | "merchantId" | "state" | "revision" | "digest" | "effectiveAt">;

/** The only way a change moves (I3): row and entry in one statement. Gives the change as it stands after. */
export async function advance<C extends Movable>(
  ledger: Pick<Ledger, "move">, change: C, verb: Verb, data: Json, { effectiveAt = null, as }: { effectiveAt?: Date | null; as?: EntryActor } = {},
): Promise<Advanced<C>> {
  const blocker = stateBlocker(change, verb);
  if (blocker) throw blocker;
  const { to, entry: type } = LIFECYCLE[verb];
  const entry = await ledger.move({ changeId: change.id, revision: change.revision, digest: change.digest, to, type, effectiveAt, data }, as);
  return { change: { ...change, state: to, revision: change.revision + 1, effectiveAt }, entry };
}

/** Why a change in this state cannot be moved by `verb`, as a code. */
export function stateBlocker(change: Movable, verb: Verb): Refusal | null {
  if (canAdvance(change.state, verb)) return null;
  return new Refusal(change.state === "staged" ? "not_approved" : `change_already_${change.state}`);
}
