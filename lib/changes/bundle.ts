import type { Ctx } from "../kernel/context";
import { authorise } from "../kernel/permit";
import { Refusal } from "../kernel/refusal";
import { writeBundle } from "../audit/bundle";
import { tenant } from "../database/client";
import { entryBytes, logSize } from "../log/queries";

const BATCH = 500;

/**
 * A merchant's whole log as the lines of a bundle (docs/format.md), in constant memory and short reads: what is written
 * meanwhile is not in it. Refuses `not_found` where the log is another merchant's.
 */
export async function exportBundle(ctx: Ctx, merchantId: string): Promise<AsyncGenerator<string>> {
  authorise(ctx, "log:read");
  if (merchantId !== ctx.merchantId) throw new Refusal("not_found");
  const { size } = await logSize(merchantId);
  return writeBundle({ log: `undersigned/${merchantId}`, size: Number(size), entries: entries(merchantId, size), contents: contents(merchantId, size), texts: texts(merchantId, size) });
}

async function* entries(merchantId: string, size: bigint): AsyncGenerator<string> {
  for (let from = 0n; from < size; from += BigInt(BATCH)) {
    const to = from + BigInt(BATCH);
    yield* await entryBytes(merchantId, from, to < size ? to : size);
  }
}

async function* contents(merchantId: string, size: bigint): AsyncGenerator<string> {
  let after = -1n;
  for (;;) {
    const rows = await tenant(merchantId).change.findMany({
      where: { merchantId, stagedSeq: { gt: after, lt: size } }, orderBy: { stagedSeq: "asc" }, take: BATCH, select: { stagedSeq: true, content: { select: { content: true } } },
    });
    for (const { content } of rows) if (content) yield content.content;
    if (rows.length < BATCH) return;
    after = rows.at(-1)!.stagedSeq;
  }
}

/** Only texts that an entry of this bundle carries: one written meanwhile would belong to none. */
async function* texts(merchantId: string, size: bigint): AsyncGenerator<string> {
  for (let after = ""; ;) {
    const rows = await tenant(merchantId).$queryRaw<{ digest: string; text: string }[]>`
      SELECT t.digest, t.text FROM digested_text t WHERE t.merchant_id = ${merchantId} AND t.digest > ${after}
         AND EXISTS (SELECT FROM entry e WHERE e.merchant_id = t.merchant_id AND e.subject = t.subject AND e.seq < ${size} AND position(t.digest IN e.entry) > 0)
       ORDER BY t.digest LIMIT ${BATCH}`;
    for (const { text } of rows) yield text;
    if (rows.length < BATCH) return;
    after = rows.at(-1)!.digest;
  }
}
