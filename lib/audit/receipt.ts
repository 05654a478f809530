import { canonicalJson, type Json } from "../kernel/canonical-json";
import { readAnchor, readHints, readTrusted, type Trust } from "./anchor";
import { Unreadable } from "./bundle";
import type { Hash } from "./bytes";
import { expectedContent, contentFault } from "./content";
import { textDigests, textFault } from "./digested-text";
import { readEntry, type Entry } from "./entry";
import { atEntry, type Finding, type Report } from "./finding";
import { leafHash, type Sha256 } from "./leaf";
import { Lifecycle } from "./lifecycle";
import type { Notice } from "./log-check";
import { verifyInclusion } from "./merkle";
import { readProof, writeProof } from "./proof";
import { UnknownRoster } from "./roster";
import { checkSince } from "./since";
import type { Verification } from "./verify";

const RECEIPT_FORMAT = "undersigned-receipt/1";
const MEMBERS = ["format", "log", "content", "entries", "texts", "checkpoint", "keys"];

type Proven = { entry: string; index: number; proof: unknown };
type Receipt = { log: string; content: Json; entries: Proven[]; texts: Json[]; checkpoint: string; keys: unknown[] };

/** The proof of one change in one file. `content` and `texts` are exact bytes, `checkpoint` a signed note, a proof leaf to root. */
export function writeReceipt(receipt: {
  log: string; content: string | null; entries: readonly { entry: string; index: number; proof: readonly Hash[] }[]; texts: readonly string[]; checkpoint: string; keys: readonly string[];
}): string {
  const entries = receipt.entries.map(({ entry, index, proof }) => ({ entry, index, proof: writeProof(proof) }));
  return `{"format":"${RECEIPT_FORMAT}","log":${JSON.stringify(receipt.log)},"content":${receipt.content},"entries":${JSON.stringify(entries)},"texts":[${receipt.texts.join(",")}]`
    + `,"checkpoint":${JSON.stringify(receipt.checkpoint)},"keys":${JSON.stringify(receipt.keys)}}\n`;
}

/** Whether a file begins as a receipt does. */
export const isReceipt = (text: string): boolean => /^\s*\{\s*"format"\s*:\s*"undersigned-receipt\//.test(text);

/**
 * Checks a receipt with nothing but the file and what the reader trusts; `size` counts its entries. It proves that each entry is in the log that
 * was signed, and what came of the change so far; not that nothing came later, nor who was a member. Throws Unreadable where it is no receipt.
 */
export function verifyReceipt(text: string, sha256: Sha256, trust: Trust = {}): Verification {
  const findings: Finding[] = [];
  const report: Report = (kind, place, detail) => { findings.push({ kind, place, detail }); };
  const receipt = readReceipt(text, report);
  const hints = readHints(receipt.keys, "keys", report);
  const anchor = readAnchor(receipt.checkpoint, receipt.log, readTrusted(trust.keys ?? []), hints, report);
  const story = new Story(receipt, sha256, report);
  let covered = anchor !== null && receipt.entries.length > 0;
  for (const proven of receipt.entries) {
    const { place, hash } = story.push(proven);
    if (!anchor) continue;
    const { size, root } = anchor.checkpoint;
    const proof = readProof(proven.proof);
    if (proof === null) report("not_canonical", place, "its proof is not a list of hashes");
    else if (!verifyInclusion(sha256, hash, BigInt(proven.index), size, proof, root)) report("root_mismatch", place, `its proof does not lead from ${hash} to the root of ${size} entries`);
    else continue;
    covered = false;
  }
  const withheld = story.end();
  // A receipt says nothing of other sizes than its checkpoint's: only the same can be held against each other.
  if (trust.since && trust.since.origin !== receipt.log) report("wrong_log", "since", `is of ${trust.since.origin}, not of ${receipt.log}`);
  else if (trust.since && trust.since.size === anchor?.checkpoint.size) checkSince(trust.since, receipt.log, Number(trust.since.size), anchor.checkpoint.root, report);
  return {
    ok: findings.length === 0, anchored: covered && anchor !== null && anchor.trusted, log: receipt.log, size: receipt.entries.length,
    checkpoint: anchor && receipt.checkpoint, findings, notices: [...story.unknown.values()], withheld,
  };
}

/** Everything but the proofs: the steps of one change, its content and its texts. */
class Story {
  readonly unknown = new Map<string, Notice>();
  private readonly lifecycle: Lifecycle;
  private readonly texts = new Set<string>();
  private staged: Entry<"change.staged"> | null = null;
  private erased: string | null = null;
  private subject: string | null = null;
  private last = { index: -1, at: "" };

  constructor(private readonly receipt: Receipt, private readonly sha256: Sha256, private readonly report: Report) {
    this.lifecycle = new Lifecycle(report, new UnknownRoster(), "unknown");
  }

  push({ entry: bytes, index }: Proven): { place: string; hash: Hash } {
    const place = atEntry(index);
    const { entry, link, unknownType, fault } = readEntry(bytes);
    if (fault) this.report("not_canonical", place, fault);
    if (link && link.log !== this.receipt.log) this.report("wrong_log", place, `belongs to ${link.log}, not to ${this.receipt.log}`);
    if ((link && link.seq !== index) || index <= this.last.index) this.report("seq_gap", place, `is entry ${link?.seq ?? index} at ${index}, after ${this.last.index}`);
    if (link && link.at < this.last.at) this.report("time_reversed", place, `${link.at} is before ${this.last.at}`);
    this.last = { index, at: link?.at ?? this.last.at };
    if (unknownType !== null) this.unknown.set(unknownType, { type: unknownType, entries: (this.unknown.get(unknownType)?.entries ?? 0) + 1, first: this.unknown.get(unknownType)?.first ?? place });
    if (entry) this.tell(entry, place);
    return { place, hash: leafHash(this.sha256, bytes) };
  }

  /** After the last entry: what it stands for. */
  end(): Verification["withheld"] {
    if (!this.staged) this.report("truncated", "receipt", "has no entry that stages a change");
    const due = new Set(this.texts);
    for (const [at, text] of this.receipt.texts.entries()) {
      const bytes = canonicalJson(text);
      const fault = textFault(bytes, (digest) => this.texts.has(digest), this.sha256);
      if (fault) this.report("text_mismatch", `text ${at}`, fault);
      due.delete(this.sha256(bytes));
    }
    return { contents: this.content(), texts: due.size };
  }

  private tell(entry: Entry, place: string): void {
    this.subject ??= entry.subject;
    if (entry.subject !== this.subject) return this.report("illegal_transition", place, `is about ${entry.subject} in a receipt of ${this.subject}`);
    this.lifecycle.push(entry, entry.seq);
    if (entry.type === "change.staged") this.staged ??= entry;
    for (const digest of textDigests(entry)) this.texts.add(digest);
    if (entry.type !== "content.erased") return;
    this.erased = entry.data.digest;
    this.texts.delete(this.erased);
  }

  private content(): number {
    const { content } = this.receipt;
    if (content === null) return this.staged && this.staged.digest !== this.erased ? 1 : 0;
    const fault = this.staged ? contentFault(canonicalJson(content), expectedContent(this.staged), this.sha256) : "is of a change that no entry stages";
    if (fault) this.report("content_mismatch", `change ${this.subject}`, fault);
    return 0;
  }
}

/** Its one form: these members in this order, and no space between. So there is no second reading of a member that stands there twice. */
function readReceipt(text: string, report: Report): Receipt {
  const bytes = text.endsWith("\n") ? text.slice(0, -1) : text;
  let value: (Partial<Receipt> & { format?: unknown }) | null;
  let printed: string;
  try {
    value = JSON.parse(bytes);
    printed = JSON.stringify(value);
    canonicalJson(value as Json); // has no lone surrogate
  } catch {
    throw new Unreadable("The file is not JSON");
  }
  const { format, log, content, entries, texts, checkpoint, keys } = value ?? {};
  const whole = format === RECEIPT_FORMAT && typeof log === "string" && typeof checkpoint === "string" && typeof content === "object" && Array.isArray(entries) && Array.isArray(texts) && Array.isArray(keys)
    && entries.every((each: Partial<Proven> | null) => typeof each?.entry === "string" && Number.isSafeInteger(each.index));
  if (!whole) throw new Unreadable(`The file is not an ${RECEIPT_FORMAT} file`);
  const members = Object.keys(value!);
  const proven = entries.every((each) => Object.keys(each).join() === "entry,index,proof");
  if (members.join() !== MEMBERS.join() || !proven || printed !== bytes) report("not_canonical", "receipt", "is not in the one form of a receipt");
  return { log, content, entries, texts, checkpoint, keys };
}
