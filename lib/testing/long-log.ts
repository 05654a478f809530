import { leafHash, NO_LEAF } from "../audit/leaf";
import { sha256 } from "../audit/sha256";
import { canonicalJson } from "../kernel/canonical-json";
import { ChangeStory, LOG, ONE, OPENING, TWO, type Draft } from "./log-builder";

/** Exact entries of a log as long as is asked for: refunds proposed, approved and paid one after the other, each of another payment. */
export function* longLog(size: number): Generator<string> {
  let prev = NO_LEAF;
  let seq = 0;
  for (const draft of drafts()) {
    if (seq === size) return;
    const at = new Date(Date.UTC(2026, 10, 30, 9) + seq * 10).toISOString();
    const bytes = canonicalJson({ at, log: LOG, prev, seq, v: 1, ...draft });
    prev = leafHash(sha256, bytes);
    seq += 1;
    yield bytes;
  }
}

function* drafts(): Generator<Draft> {
  yield* OPENING;
  for (let n = 0; ; n++) {
    const id = n.toString().padStart(10, "0");
    const story = new ChangeStory(`chg-${id}`, { payment: `pay-${id}` });
    const by = n % 2 === 0 ? ONE : TWO;
    yield* [story.staged(), story.approved(by), story.applying(by), story.applied(by)];
  }
}
