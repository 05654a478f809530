import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const REFUSED = [
  ["lib/kernel/a.ts", "../log/append"],
  ["lib/kernel/b.ts", "@/lib/audit/entry"],
  ["lib/audit/a.ts", "../database/client"],
  ["lib/log/a.ts", "@/lib/ledger/commit"],
  ["lib/platforms/store/a.ts", "../../changes/stage"],
  ["lib/changes/a.ts", "../jobs/expire"],
  ["lib/changes/b.ts", "../testing/factories"],
  ["lib/edge/a.ts", "@/app/layout"],
  ["lib/edge/b.ts", "../../components/ui/button"],
  ["lib/ledger/a.ts", "next/headers"],
  ["lib/changes/c.ts", "react"],
  ["lib/edge/c.ts", "next-auth"],
  ["lib/edge/d.ts", "pg"],
  ["lib/log/b.ts", "@prisma/client"],
  ["lib/browser/a.ts", "next-auth/jwt"],
  ["lib/jobs/a.ts", "../../scripts/steps.mjs"],
  ["components/ui/a.tsx", "@/app/layout"],
  ["components/ui/b.tsx", "@/lib/database/client"],
  ["app/changes/a.tsx", "../../lib/database/client"],
  ["app/changes/b.tsx", "@/lib/testing/database"],
  ["app/changes/c.tsx", "next-auth"],
  ["app/changes/d.tsx", "pg"],
] as const;

const ALLOWED = [
  ["lib/changes/ok.ts", "../kernel/money"],
  ["lib/platforms/store/ok.ts", "../platform"],
  ["lib/database/ok.ts", "pg"],
  ["lib/identity/ok.ts", "next-auth"],
  ["lib/edge/ok.ts", "next/headers"],
  ["lib/browser/ok.ts", "next-auth/react"],
  ["lib/kernel/ok.test.ts", "../testing/database"],
  ["components/ui/ok.tsx", "@/lib/kernel/money"],
  ["app/changes/ok.tsx", "@/lib/changes/queries"],
  ["prisma/seed.ts", "../lib/testing/factories"],
] as const;

describe("the lint", () => {
  let folder: string;
  let found: Set<string>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "import-order-"));
    copyFileSync(".oxlintrc.json", join(folder, ".oxlintrc.json"));
    for (const [file, source] of [...REFUSED, ...ALLOWED]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `import "${source}";\n`);
    }
    const lint = spawnSync(process.execPath, [resolve("node_modules/oxlint/bin/oxlint"), "--format=json"], { cwd: folder, encoding: "utf8" });
    const { diagnostics } = JSON.parse(lint.stdout) as { diagnostics: { code: string; filename: string }[] };
    found = new Set(diagnostics.filter(({ code }) => code.includes("no-restricted-imports")).map(({ filename }) => filename));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(REFUSED)("%s may not import %s", (file) => expect(found).toContain(file));
  it.each(ALLOWED)("%s may import %s", (file) => expect(found).not.toContain(file));
});
