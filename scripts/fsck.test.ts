import { execFile } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { sql, testDatabase, type TestDatabase } from "../lib/testing/database";
import { makeMerchant } from "../lib/testing/factories";

type Run = { code: number; out: string; err: string };
const run = (url: string, ...args: string[]): Promise<Run> => new Promise((done) => {
  execFile(process.execPath, ["--import", "tsx", "scripts/fsck.ts", ...args], { env: { ...process.env, DATABASE_URL: url } }, (error, out, err) => {
    done({ code: Number(error?.code ?? 0), out, err });
  });
});

describe("npm run audit:fsck", () => {
  let database: TestDatabase;
  let merchant: string;
  beforeAll(async () => {
    database = await testDatabase();
    merchant = (await makeMerchant()).id;
  });

  it("ends with 0 where there is no finding", async () => {
    expect(await run(database.appUrl)).toEqual({ code: 0, out: "Checked 8 entries and every row about them: no findings.\n", err: "" });
    expect(JSON.parse((await run(database.appUrl, "--json")).out)).toEqual({ ok: true, anchored: false, size: 8, findings: [] });
  });

  it("ends with 1 on any finding, named by kind and place", async () => {
    await sql(database.ownerUrl, "UPDATE member SET role = 'admin' WHERE merchant_id = $1 AND role = 'auditor'", [merchant]);
    const { code, out } = await run(database.appUrl);
    expect({ code, lines: out.split("\n") }).toEqual({
      code: 1, lines: [expect.stringMatching(`^state_mismatch  ${merchant} member mem-.{10}: role is "admin", its entry says "auditor"$`), "Checked 8 entries and every row about them: 1 finding.", ""],
    });
    const json = await run(database.appUrl, "--json");
    expect({ code: json.code, ...JSON.parse(json.out) }).toMatchObject({ code: 1, ok: false, anchored: false, size: 8, findings: [{ kind: "state_mismatch" }] });
  });

  it("ends with 2 where the database cannot be read", async () => {
    const nowhere = Object.assign(new URL(database.appUrl), { port: "1" }).href;
    expect(await run(nowhere)).toMatchObject({ code: 2, out: "", err: expect.stringMatching(/^The log could not be read: /) });
  });
});
