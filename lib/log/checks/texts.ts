import { textFault } from "../../audit/digested-text";
import { sha256 } from "../../audit/sha256";
import { readRanges, type Checking } from "./read";

type Row = { digest: string; subject: string; text: string; carried: boolean };

const TEXTS = `
  SELECT t.digest, t.subject, t.text,
         EXISTS (SELECT FROM entry e WHERE e.merchant_id = t.merchant_id AND e.subject = t.subject AND position(t.digest IN e.entry) > 0) AS carried
    FROM digested_text t WHERE t.merchant_id = $1 AND t.digest > $2 ORDER BY t.digest LIMIT $3`;

/** Every person's text against the digest that an entry about its subject carries. */
export async function checkTexts(checking: Checking): Promise<void> {
  for await (const rows of readRanges<Row>(TEXTS, checking.merchantId, ({ digest }) => digest)) {
    for (const { digest, subject, text, carried } of rows) {
      const place = `text ${digest} of ${subject}`;
      const fault = textFault(text, (hash) => hash === digest, sha256);
      if (fault) checking.report("text_mismatch", place, fault);
      else if (!carried) checking.report("unlogged_write", place, "no entry about it carries this digest");
    }
  }
}
