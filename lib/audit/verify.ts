import { readBundleLine, readHeader, Unreadable, type BundleHeader, type BundleLine } from "./bundle";
import { contentFault, contentId, expectedContent, type Expected } from "./content";
import { textDigests, textFault } from "./digested-text";
import type { Finding, FindingKind, Report } from "./finding";
import type { Sha256 } from "./leaf";
import { LogCheck, type Notice } from "./log-check";

/**
 * `size` counts the entries that were checked. `notices` are not findings. `withheld` counts contents and texts that entries name, none
 * erased and the file does not show: what is there is consistent, but a verdict on all of it is not green unless both are 0.
 */
export type Verification = { ok: boolean; log: string; size: number; findings: Finding[]; notices: Notice[]; withheld: Withheld };
export type Withheld = { contents: number; texts: number };

/** Checks a bundle, line by line as it is read, with nothing but the file. Throws Unreadable where it is no bundle. */
export async function verify(lines: AsyncIterable<string> | Iterable<string>, sha256: Sha256): Promise<Verification> {
  let bundle: BundleCheck | null = null;
  for await (const line of lines) {
    if (bundle) bundle.push(line);
    else bundle = new BundleCheck(readHeader(line), sha256);
  }
  if (!bundle) throw new Unreadable("The file is empty");
  return bundle.end();
}

const ORDER = ["entry", "content", "text", "checkpoint"] as const;

class BundleCheck {
  private readonly findings: Finding[] = [];
  private readonly report: Report = (kind: FindingKind, place: string, detail: string) => { this.findings.push({ kind, place, detail }); };
  private readonly check: LogCheck;
  private readonly staged = new Map<string, Expected>();
  private readonly carried = new Set<string>();
  /** Changes whose content, and digests whose text, is still to come. */
  private readonly dueContents = new Map<string, string>();
  private readonly dueTexts = new Set<string>();
  private contents = 0;
  private line = 1;
  private part = 0;

  constructor(private readonly header: BundleHeader, private readonly sha256: Sha256) {
    this.check = new LogCheck(header.log, sha256, this.report);
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
    const { size } = this.check;
    if (size < this.header.size) this.report("truncated", `entry ${size}`, `has ${size} of ${this.header.size} entries`);
    if (size > this.header.size) this.report("not_canonical", "line 1", `says ${this.header.size} entries where there are ${size}`);
    if (!this.ended) this.report("truncated", `line ${this.line + 1}`, "ends without its checkpoint line");
    const withheld = this.withheld();
    return { ok: this.findings.length === 0, log: this.header.log, size, findings: this.findings, notices, withheld };
  }

  /** A file without any content withholds them, and that is told; one that shows some and not others has lost them, or hides them. */
  private withheld(): Withheld {
    const texts = this.dueTexts.size;
    if (this.contents === 0) return { contents: this.dueContents.size, texts };
    for (const change of this.dueContents.keys()) this.report("content_mismatch", `change ${change}`, "its content is missing, though no entry erased it");
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
      case "checkpoint":
        if (bytes !== "null") this.report("not_canonical", this.place, "a checkpoint is null in this version");
    }
  }

  private entry(bytes: string): void {
    const { entry } = this.check.push(bytes);
    if (!entry) return;
    if (entry.type === "change.staged") {
      this.staged.set(entry.subject, expectedContent(entry));
      this.dueContents.set(entry.subject, entry.digest);
    }
    for (const digest of textDigests(entry)) {
      this.carried.add(digest);
      this.dueTexts.add(digest);
    }
    if (entry.type === "content.erased") this.erased(entry.subject, entry.data.digest);
  }

  private erased(change: string, digest: string): void {
    if (this.dueContents.get(change) === digest) this.dueContents.delete(change);
    this.dueTexts.delete(digest);
  }

  private content(bytes: string): void {
    const id = contentId(bytes);
    this.contents += 1;
    if (id !== null) this.dueContents.delete(id);
    const expected = id === null ? undefined : this.staged.get(id);
    const fault = expected ? contentFault(bytes, expected, this.sha256) : `is of ${id ?? "no change"}, which no entry stages`;
    if (fault) this.report("content_mismatch", expected ? `change ${id}` : this.place, fault);
  }
}
