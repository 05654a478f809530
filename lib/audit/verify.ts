import { AT_CHECKPOINT, readAnchor, readHints, readTrusted, type Anchor, type Trust } from "./anchor";
import { readBundleLine, readHeader, Unreadable, type Batches, type BundleHeader, type BundleLine } from "./bundle";
import type { Hash } from "./bytes";
import { readCanonical } from "./canonical";
import { CompactRange } from "./compact-range";
import { contentFault, contentId, expectedContent, type Expected } from "./content";
import { textDigests, textFault } from "./digested-text";
import { own } from "./entry";
import { atEntry, type Finding, type FindingKind, type Report } from "./finding";
import type { Sha256 } from "./leaf";
import { LogCheck, type Notice } from "./log-check";
import type { VerifierKey } from "./note";
import { checkSince } from "./since";

/**
 * `size` counts the entries that were checked. `anchored`: a trusted key signed this very size and root; without it a verdict is never green.
 * `checkpoint` is the signed note, to be remembered. `notices` are not findings. `withheld` counts contents and texts that entries name, none
 * erased and the file does not show: what is there is consistent, but a verdict on all of it is not green unless both are 0.
 */
export type Verification = {
  ok: boolean; anchored: boolean; log: string; size: number; checkpoint: string | null; findings: Finding[]; notices: Notice[]; withheld: Withheld;
};
export type Withheld = { contents: number; texts: number };

/** Checks a bundle, line by line as it is read, with nothing but the file and what the reader trusts. Throws Unreadable where it is no bundle, or a key none. */
export async function verify(batches: Batches, sha256: Sha256, trust: Trust = {}): Promise<Verification> {
  let bundle: BundleCheck | null = null;
  for await (const lines of batches) {
    for (const line of lines) {
      if (bundle) bundle.push(line);
      else bundle = new BundleCheck(readHeader(line), sha256, trust);
    }
  }
  if (!bundle) throw new Unreadable("The file is empty");
  return bundle.end();
}

/** A change's content as it is expected, and whether it is still to come. */
type Due = Expected & { due: boolean };

const ORDER = ["entry", "content", "text", "checkpoint"] as const;

class BundleCheck {
  private readonly findings: Finding[] = [];
  private readonly report: Report = (kind: FindingKind, place: string, detail: string) => { this.findings.push({ kind, place, detail }); };
  private readonly check: LogCheck;
  private readonly staged = new Map<string, Due>();
  private readonly carried = new Set<string>();
  /** Digests whose text is still to come. */
  private readonly dueTexts = new Set<string>();
  private contents = 0;
  private line = 1;
  private part = 0;
  private readonly tree: CompactRange;
  /** Roots at the sizes that something signed or remembered may speak of. */
  private readonly roots = new Map<number, Hash>();
  private readonly spokenOf: ReadonlySet<number>;
  private readonly trusted: VerifierKey[];
  private readonly hints: VerifierKey[];
  private signed: string | null = null;
  private anchor: Anchor | null = null;

  constructor(private readonly header: BundleHeader, private readonly sha256: Sha256, private readonly trust: Trust) {
    this.check = new LogCheck(header.log, sha256, this.report);
    this.tree = new CompactRange(sha256);
    this.trusted = readTrusted(trust.keys ?? []);
    this.hints = readHints(header.keys, "line 1", this.report);
    this.spokenOf = new Set([header.size, Number(trust.since?.size ?? 0)]);
    this.remember(0);
  }

  push(text: string): void {
    this.line += 1;
    const line = readBundleLine(text);
    const part = ORDER.indexOf(line.kind);
    if (part < this.part || this.ended) this.report("not_canonical", this.place, `${line.kind} after ${ORDER[this.part]}`);
    this.part = Math.max(this.part, part);
    this.read(line);
  }

  end(): Verification {
    const notices = this.check.end();
    for (const { seq, detail } of this.check.trims.selfApprovals()) this.report("self_approval", atEntry(seq), detail);
    const { size } = this.check;
    const said = this.anchor?.checkpoint.size ?? BigInt(this.header.size);
    if (said !== BigInt(this.header.size)) this.report("not_canonical", "line 1", `says ${this.header.size} entries, and its checkpoint ${said}`);
    else if (size > said) this.report("not_canonical", "line 1", `says ${said} entries where there are ${size}`);
    if (size < said) this.report("truncated", `entry ${size}`, `has ${size} of ${said} entries`);
    if (!this.ended) this.report("truncated", `line ${this.line + 1}`, "ends without its checkpoint line");
    const anchored = this.anchor !== null && this.anchored(this.anchor);
    const { since } = this.trust;
    if (since) checkSince(since, this.header.log, size, this.roots.get(Number(since.size)), this.report);
    const withheld = this.withheld();
    return { ok: this.findings.length === 0, anchored, log: this.header.log, size, checkpoint: this.signed, findings: this.findings, notices, withheld };
  }

  /** Whether what is signed is what is here. */
  private anchored({ checkpoint, trusted }: Anchor): boolean {
    const whole = checkpoint.size === BigInt(this.check.size);
    const root = whole ? this.tree.root() : this.roots.get(Number(checkpoint.size));
    if (root !== undefined && root !== checkpoint.root) this.report("root_mismatch", AT_CHECKPOINT, `says ${checkpoint.root} of ${checkpoint.size} entries, their root is ${root}`);
    return trusted && whole && root === checkpoint.root;
  }

  private remember(size: number): void {
    if (this.spokenOf.has(size)) this.roots.set(size, this.tree.root());
  }

  /** A file without any content withholds them, and that is told; one that shows some and not others has lost them, or hides them. */
  private withheld(): Withheld {
    const texts = this.dueTexts.size;
    const due = [...this.staged].filter(([, change]) => change.due);
    if (this.contents === 0) return { contents: due.length, texts };
    for (const [change] of due) this.report("content_mismatch", `change ${change}`, "its content is missing, though no entry erased it");
    return { contents: 0, texts };
  }

  private get place(): string {
    return `line ${this.line}`;
  }

  private get ended(): boolean {
    return ORDER[this.part] === "checkpoint";
  }

  private read({ kind, bytes }: BundleLine): void {
    switch (kind) {
      case "entry": return this.entry(bytes);
      case "content": return this.content(bytes);
      case "text": {
        const fault = textFault(bytes, (digest) => this.carried.has(digest), this.sha256);
        if (fault) this.report("text_mismatch", this.place, fault);
        this.dueTexts.delete(this.sha256(bytes));
        return;
      }
      case "checkpoint": return this.checkpoint(bytes);
    }
  }

  private checkpoint(bytes: string): void {
    if (bytes === "null") return; // a log that signs none: consistent, and not anchored
    const { value } = readCanonical(bytes);
    if (typeof value !== "string") return this.report("not_canonical", this.place, "a checkpoint is a signed note, or null");
    this.anchor = readAnchor(value, this.header.log, this.trusted, this.hints, this.report);
    if (this.anchor) this.signed = value;
  }

  private entry(bytes: string): void {
    const { entry, leafHash } = this.check.push(bytes);
    this.tree.append(leafHash);
    this.remember(this.check.size);
    if (!entry) return;
    if (entry.type === "change.staged") {
      this.staged.set(own(entry.subject), { ...expectedContent(entry), due: true });
    }
    for (const digest of textDigests(entry)) {
      this.carried.add(digest);
      this.dueTexts.add(digest);
    }
    if (entry.type === "content.erased") this.erased(entry.subject, entry.data.digest);
  }

  private erased(change: string, digest: string): void {
    const staged = this.staged.get(change);
    if (staged?.digest === digest) staged.due = false;
    this.dueTexts.delete(digest);
  }

  private content(bytes: string): void {
    const id = contentId(bytes);
    this.contents += 1;
    const expected = id === null ? undefined : this.staged.get(id);
    if (expected) expected.due = false;
    const fault = expected ? contentFault(bytes, expected, this.sha256) : `is of ${id ?? "no change"}, which no entry stages`;
    if (!fault) this.check.trims.content(id!, bytes);
    else this.report("content_mismatch", expected ? `change ${id}` : this.place, fault);
  }
}
