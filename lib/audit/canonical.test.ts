import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { canonicalJson } from "../kernel/canonical-json";
import { readCanonical } from "./canonical";

const VECTORS = "../shared/vectors/jcs";

it("agrees with the published vectors of RFC 8785", () => {
  if (!existsSync(VECTORS)) {
    console.warn(`${VECTORS} is missing: the vectors of RFC 8785 were not tried`);
    return;
  }
  for (const name of readdirSync(`${VECTORS}/input`)) {
    const input = JSON.parse(readFileSync(`${VECTORS}/input/${name}`, "utf8"));
    const output = readFileSync(`${VECTORS}/output/${name}`, "utf8");
    const bytes = readFileSync(`${VECTORS}/outhex/${name.replace(".json", ".txt")}`, "utf8").trim().split(/\s+/).map((hex) => Number.parseInt(hex, 16));
    expect({ name, text: canonicalJson(input) }).toEqual({ name, text: output });
    expect({ name, bytes: [...Buffer.from(canonicalJson(input))] }).toEqual({ name, bytes });
    expect({ name, fault: readCanonical(output).fault }).toEqual({ name, fault: null });
  }
  const numbers = readFileSync(`${VECTORS}/es6numbers_first1000.csv`, "utf8").trim().split("\n");
  for (const line of numbers) {
    const [hex, expected] = line.split(",") as [string, string];
    const value = Buffer.from(hex.padStart(16, "0"), "hex").readDoubleBE();
    expect({ hex, text: canonicalJson(value) }).toEqual({ hex, text: expected });
  }
});

it("tells a form that is not canonical from a text that is no JSON", () => {
  expect(readCanonical('{"a":1,"b":null}')).toEqual({ value: { a: 1, b: null }, fault: null });
  for (const text of ['{"b":1,"a":1}', '{"a": 1}', '{"a":1.0}', '{"a":1,"a":1}', '{"a":1}\n']) expect({ text, ...readCanonical(text) }).toMatchObject({ text, fault: "is not in canonical form" });
  for (const text of ["", "{", '{"a":"\\ud800"}', "NaN"]) expect({ text, ...readCanonical(text) }).toMatchObject({ text, fault: "is not JSON" });
});
