import { createHash, type Hash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { PassThrough, type Writable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { Identity, Migration } from "./tables";

/*
 * A backup is gzip of lines of JSON with bytes between them: a head; frames, each a line that says how many bytes of which
 * table follow (PostgreSQL's COPY text); a last line with the counts and the SHA-256 of every byte before it.
 */
export type Head = { format: "undersigned-backup/1"; at: string; server: string; migrations: Migration[]; identities: Identity[] };
type Frame = { table: string; columns: string[]; bytes: number };
type Last = { rows: Record<string, number>; sha256: string };

/** A file that is no whole backup. */
export class Damaged extends Error {}

const FRAME = 256 * 1024;
const LONGEST_LINE = 1024 * 1024;

export class BackupWriter {
  readonly #gzip = createGzip({ level: 6 });
  readonly #digest: Hash = createHash("sha256");
  readonly #rows: Record<string, number> = {};
  readonly #written: Promise<void>;
  readonly #part: string;

  /** Writes beside `file` and gives it its name when it is whole. Only its owner may read it. */
  constructor(readonly file: string) {
    this.#part = `${file}.part`;
    this.#written = pipeline(this.#gzip, createWriteStream(this.#part, { mode: 0o600 }));
    this.#written.catch(() => undefined); // told by whoever writes next, or by end()
  }

  head = (head: Head): Promise<void> => this.#put(`${JSON.stringify(head)}\n`);

  async table(table: string, columns: string[], data: AsyncIterable<Buffer>, rows: () => number | null | undefined): Promise<void> {
    let chunks: Buffer[] = [];
    const flush = async (): Promise<void> => {
      const bytes = Buffer.concat(chunks);
      chunks = [];
      await this.#put(`${JSON.stringify({ table, columns, bytes: bytes.length } satisfies Frame)}\n`);
      await this.#put(bytes);
    };
    let size = 0;
    for await (const chunk of data) {
      chunks.push(chunk);
      size += chunk.length;
      if (size < FRAME) continue;
      size = 0;
      await flush();
    }
    if (chunks.length > 0) await flush();
    this.#rows[table] = rows() ?? 0;
  }

  async end(): Promise<Last> {
    const last: Last = { rows: this.#rows, sha256: this.#digest.digest("hex") };
    this.#gzip.end(`${JSON.stringify(last)}\n`);
    await this.#written;
    const part = await open(this.#part, "r+");
    await part.sync();
    await part.close();
    await rename(this.#part, this.file);
    return last;
  }

  async abandon(): Promise<void> {
    this.#gzip.destroy();
    await this.#written.catch(() => undefined);
    await rm(this.#part, { force: true });
  }

  async #put(data: string | Buffer): Promise<void> {
    this.#digest.update(data);
    if (!this.#gzip.write(data)) await Promise.race([new Promise((done) => this.#gzip.once("drain", done)), this.#written]);
  }
}

export type Reading = { head(head: Head): Promise<void>; table(table: string, columns: string[]): Promise<{ to: Writable; rows(): number }> };

/** Reads a backup once, giving each table's bytes to the stream that `reading.table` opens. Throws `Damaged` where it is not whole. */
export async function readBackup(file: string, reading: Reading): Promise<Last> {
  const bytes = new Bytes(file);
  const head = json<Head>(await bytes.line());
  if (head.format !== "undersigned-backup/1") throw new Damaged("it is no backup of Undersigned");
  await reading.head(head);
  const rows: Record<string, number> = {};
  let next = await nextLine(bytes);
  while ("table" in next.line) {
    const { table, columns } = next.line;
    const { to, rows: counted } = await reading.table(table, columns);
    to.on("error", () => undefined); // told by the write that meets it
    try {
      while ("table" in next.line && next.line.table === table) {
        for await (const chunk of bytes.take(next.line.bytes)) await write(to, chunk);
        next = await nextLine(bytes);
      }
    } catch (error) {
      to.destroy();
      throw error;
    }
    to.end();
    await finished(to);
    rows[table] = counted();
  }
  const { line: last, before } = next;
  if (before !== last.sha256 || !(await bytes.ended())) throw new Damaged("its bytes are not those that were written");
  for (const [name, count] of Object.entries(last.rows)) if ((rows[name] ?? 0) !== count) throw new Damaged(`it has ${rows[name] ?? 0} rows of ${name} and counts ${count}`);
  return last;
}

async function nextLine(bytes: Bytes): Promise<{ line: Frame | Last; before: string }> {
  const before = bytes.digest.copy().digest("hex");
  return { line: json<Frame | Last>(await bytes.line()), before };
}

async function write(to: Writable, chunk: Buffer): Promise<void> {
  if (to.errored) throw to.errored;
  if (!to.write(chunk)) await once(to, "drain");
}

function json<T>(line: string): T {
  try {
    return JSON.parse(line) as T;
  } catch {
    throw new Damaged("one of its lines is not readable");
  }
}

/** The unpacked bytes of a file, by lines and by counts, digested as they are taken. */
class Bytes {
  readonly digest = createHash("sha256");
  #rest: Buffer = Buffer.alloc(0);
  readonly #source: AsyncIterator<Buffer>;

  constructor(file: string) {
    const through = new PassThrough();
    pipeline(createReadStream(file), createGunzip(), through).catch((error: Error) => through.destroy(error));
    this.#source = through[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(10);
      if (end >= 0) return this.#cut(end + 1).toString("utf8");
      if (this.#rest.length > LONGEST_LINE || !(await this.#more())) throw new Damaged("it ends too early");
    }
  }

  async *take(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      if (this.#rest.length === 0 && !(await this.#more())) throw new Damaged("it ends too early");
      const chunk = this.#cut(Math.min(left, this.#rest.length));
      left -= chunk.length;
      yield chunk;
    }
  }

  async ended(): Promise<boolean> {
    return this.#rest.length === 0 && !(await this.#more());
  }

  #cut(length: number): Buffer {
    const cut = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    this.digest.update(cut);
    return cut;
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#source.next().catch((error: Error & { code?: string }) => {
      throw error.code?.startsWith("Z_") || error.code === "ERR_STREAM_PREMATURE_CLOSE" ? new Damaged("it cannot be unpacked") : error;
    });
    if (done) return false;
    this.#rest = Buffer.concat([this.#rest, value as Buffer]);
    return true;
  }
}
