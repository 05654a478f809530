import { join } from "node:path";
import { expect, it } from "vitest";
import { readVector, vectorsIn } from "../testing/vectors";
import { hashToBase64, toBase64 } from "./bytes";
import { readProof, readTlogProof, writeProof, writeTlogProof } from "./proof";

const HASH = "0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62";
const BASE64 = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";

it("a proof is a list of hashes in base64", () => {
  expect(writeProof([HASH])).toEqual([BASE64]);
  expect(readProof([BASE64])).toEqual([HASH]);
  expect(readProof([])).toEqual([]);
  for (const bad of [null, {}, "", [1], [""], ["AAAA"], [BASE64.slice(0, -1)], [` ${BASE64}`], Array(66).fill(BASE64)]) expect(readProof(bad)).toBe(null);
});

it("a tlog-proof carries index, hashes and checkpoint", () => {
  const proof = { index: 10n, hashes: [HASH, HASH], checkpoint: "log\n11\nroot\n\n\u2014 log sig\n", extra: null };
  const text = writeTlogProof(proof.index, proof.hashes, proof.checkpoint);
  expect(text).toBe(`c2sp.org/tlog-proof@v1\nindex 10\n${BASE64}\n${BASE64}\n\n${proof.checkpoint}`);
  expect(readTlogProof(text)).toEqual(proof);
  for (const bad of ["", "\n\n", text.replace("@v1", "@v2"), text.replace("index 10", "index 010"), text.replace("index 10\n", ""), text.replace(`${BASE64}\n`, "AAAA\n"), text.slice(0, text.indexOf("\n\n") + 2)]) expect(readTlogProof(bad)).toBe(null);
});

type Vector = { desc: string; proof: string; ok: boolean; index: string; hashes: string[]; checkpoint: string; extra_b64?: string };

it("agrees with the published vectors of tlog-proofs", () => {
  const folder = vectorsIn("note");
  if (!folder) return;
  for (const { desc, proof, ok, index, hashes, checkpoint, extra_b64 } of readVector<Vector[]>(join(folder, "tlog_proof_parse.json"))) {
    const read = readTlogProof(proof);
    const shown = read && { index: String(read.index), hashes: read.hashes.map(hashToBase64), checkpoint: read.checkpoint, extra: read.extra && toBase64(read.extra) };
    expect({ desc, shown }).toEqual({ desc, shown: ok ? { index: String(index), hashes, checkpoint, extra: extra_b64 ?? null } : null });
  }
});
