import { expect, test } from "vitest";
import { countMarks, revealHidden, type Segment } from "./reveal-hidden";

const marks = (text: string): string[] =>
  revealHidden(text).flatMap((segment) => (segment.kind === "mark" ? [`${segment.code} ${segment.name}${segment.count > 1 ? ` ×${segment.count}` : ""}`] : []));

const joined = (segments: Segment[]): string =>
  segments.map((s) => (s.kind === "text" ? s.text : String.fromCodePoint(Number.parseInt(s.code.slice(2), 16)).repeat(s.count))).join("");

test("plain text, accents, other scripts and emoji are left alone", () => {
  for (const text of ["Both cakestands came chipped.\nPhotos are with the ticket.\r\n", "Crème brûlée für zwölf, £12.50 – “fine”", "Возврат одобрен", "а сама ваза Regency у соседа", "שלום", "ευχαριστώ", "注文の返金", "👩‍🔧 ❤️ 👍🏽", "a b"]) {
    expect(revealHidden(text)).toEqual([{ kind: "text", text }]);
  }
});

test("zero width and bidi characters are named", () => {
  expect(marks("ok\u200b \u202eyenom dnefer\u202c")).toEqual(["U+200B zero width space", "U+202E right-to-left override", "U+202C pop directional formatting"]);
  expect(marks("\u2067x\u2069\u061c\ufeff\u2060")).toEqual(["U+2067 right-to-left isolate", "U+2069 pop directional isolate", "U+061C Arabic letter mark", "U+FEFF zero width no-break space", "U+2060 word joiner"]);
});

test("a letter of another script inside a Latin word is a look-alike", () => {
  const segments = revealHidden("APPROV\u0415D BY FINANCE");
  expect(segments).toEqual([
    { kind: "text", text: "APPROV" },
    { kind: "mark", code: "U+0415", name: "Cyrillic", shown: "\u0415", count: 1 },
    { kind: "text", text: "D BY FINANCE" },
  ]);
});

test("a whole word in disguise is found in a Latin text", () => {
  expect(marks("please \u0440\u0430\u0443 now")).toEqual(["U+0440 Cyrillic", "U+0430 Cyrillic", "U+0443 Cyrillic"]);
  expect(marks("\uff30\uff21\uff39 \u{1d40f}")).toEqual(["U+FF30 imitates Latin", "U+FF21 imitates Latin", "U+FF39 imitates Latin", "U+1D40F imitates Latin"]);
});

test("tags, fillers, controls, lone surrogates and stacked accents are named", () => {
  expect(marks("\u{e0041}\u3164\u0007\ud800a\u0301\u0301\u0301")).toEqual(["U+E0041 tag A", "U+3164 Hangul filler", "U+0007 control character", "U+D800 lone surrogate", "U+0301 stacked accent", "U+0301 stacked accent"]);
});

test("a run of one character is one mark with a count, and nothing is lost", () => {
  const text = `a${"\u200b".repeat(500)}b`;
  const segments = revealHidden(text);
  expect(segments).toHaveLength(3);
  expect(countMarks(segments)).toBe(500);
  expect(joined(segments)).toBe(text);
});
