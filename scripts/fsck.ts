import { parseArgs } from "node:util";
import { closeDatabase } from "../lib/database/client";
import { fsck, type Fsck } from "../lib/log/fsck";
import { besideDemo } from "./demo-environment";

const EXIT = { findings: 1, unreadable: 2 };

async function main(): Promise<void> {
  // npm keeps an option that is not behind "--" to itself, and says so in the environment.
  const { values: { json } } = parseArgs({ options: { json: { type: "boolean", default: process.env.npm_config_json === "true" } } });
  besideDemo();
  const result = await fsck(process.stderr.isTTY ? showProgress : undefined);
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  console.log(json ? JSON.stringify(result) : tell(result));
  if (!result.ok) process.exitCode = EXIT.findings;
}

function tell({ ok, size, findings }: Fsck): string {
  const checked = `${size.toLocaleString("en")} entries and every row about them`;
  if (ok) return `Checked ${checked}: no findings.`;
  return [...findings.map(({ kind, place, detail }) => `${kind}  ${place}: ${detail}`), `Checked ${checked}: ${findings.length} finding${findings.length > 1 ? "s" : ""}.`].join("\n");
}

function showProgress(done: number, total: number, slug: string): void {
  const filled = total === 0 ? 30 : Math.round((done / total) * 30);
  process.stderr.write(`\r\u001b[K${"█".repeat(filled)}${"░".repeat(30 - filled)} ${done.toLocaleString("en")} of ${total.toLocaleString("en")} entries · ${slug}`);
}

await main()
  .catch((error: Error & { code?: string }) => {
    console.error(`The log could not be read: ${error.message || error.code}`);
    process.exitCode = EXIT.unreadable;
  })
  .finally(closeDatabase);
