/** A stretch of text as it is, or a character made visible: `shown` is its glyph where it has one, `count` how often it stands in a row. */
export type Segment = { kind: "text"; text: string } | { kind: "mark"; code: string; name: string; shown: string | null; count: number };

type Reading = { name: string; shown: string | null };

const NAMES = new Map<number, string>([
  [0x00a0, "no-break space"], [0x00ad, "soft hyphen"], [0x034f, "grapheme joiner"], [0x061c, "Arabic letter mark"], [0x115f, "Hangul filler"], [0x1160, "Hangul filler"],
  [0x180e, "Mongolian vowel separator"], [0x200b, "zero width space"], [0x200c, "zero width non-joiner"], [0x200d, "zero width joiner"],
  [0x200e, "left-to-right mark"], [0x200f, "right-to-left mark"], [0x2028, "line separator"], [0x2029, "paragraph separator"],
  [0x202a, "left-to-right embedding"], [0x202b, "right-to-left embedding"], [0x202c, "pop directional formatting"],
  [0x202d, "left-to-right override"], [0x202e, "right-to-left override"], [0x202f, "narrow no-break space"], [0x2060, "word joiner"],
  [0x2066, "left-to-right isolate"], [0x2067, "right-to-left isolate"], [0x2068, "first strong isolate"], [0x2069, "pop directional isolate"],
  [0x2800, "blank Braille pattern"], [0x3000, "ideographic space"], [0x3164, "Hangul filler"], [0xfeff, "zero width no-break space"],
  [0xffa0, "Hangul filler"], [0xfffc, "object replacement"], [0x0000, "null"], [0x001b, "escape"], [0x007f, "delete"],
]);

/** Letters of other scripts that are drawn like Latin ones. */
const LOOK_ALIKES = new Set(
  "АВЕЅІЈКМНОРСТУХҮԌԜаеѕіјорсухһԁԛԝѵɡ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυχικ" + "ՕՍԼհոսօցքռ" + "ᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃ" + "ⅠⅤⅩⅬⅭⅮⅯⅰⅴⅹⅼⅽⅾⅿ" + "ıȷ",
);
const SCRIPTS = { Cyrillic: /\p{Script=Cyrillic}/u, Greek: /\p{Script=Greek}/u, Armenian: /\p{Script=Armenian}/u, Cherokee: /\p{Script=Cherokee}/u };
const LATIN = /\p{Script=Latin}/u;
const LETTERS = /\p{L}/gu;
const WORD = /[\p{L}\p{M}\p{Nl}]+/gu;

/** Cuts a text into what reads as it stands and what hides, turns or imitates. Joined again, nothing is missing. */
export function revealHidden(text: string): Segment[] {
  const imitating = imitations(text);
  const segments: Segment[] = [];
  let before = "";
  let offset = 0;
  for (const char of text) {
    const reading = imitating.get(offset) ?? hiddenName(char, before);
    append(segments, char, reading);
    before = char;
    offset += char.length;
  }
  return segments;
}

export const countMarks = (segments: readonly Segment[]): number =>
  segments.reduce((sum, segment) => sum + (segment.kind === "mark" ? segment.count : 0), 0);

function append(segments: Segment[], char: string, reading: Reading | null): void {
  const last = segments.at(-1);
  if (!reading) {
    if (last?.kind === "text") last.text += char;
    else segments.push({ kind: "text", text: char });
    return;
  }
  const code = `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  if (last?.kind === "mark" && last.code === code && reading.shown === null) last.count += 1;
  else segments.push({ kind: "mark", code, name: reading.name, shown: reading.shown, count: 1 });
}

function hiddenName(char: string, before: string): Reading | null {
  const point = char.codePointAt(0) ?? 0;
  if (char === "\n" || char === "\t" || (char === "\r" && before !== "\r")) return null;
  // An emoji's variation selector and joiner are part of its spelling.
  if ((point === 0xfe0f || point === 0x200d) && /\p{Extended_Pictographic}|\ufe0f/u.test(before)) return null;
  const named = NAMES.get(point);
  if (named) return point === 0x00a0 ? null : { name: named, shown: null };
  if (point >= 0xe0020 && point <= 0xe007e) return { name: `tag ${String.fromCodePoint(point - 0xe0000)}`, shown: null };
  if (/\p{Cs}/u.test(char)) return { name: "lone surrogate", shown: null };
  if (/\p{Cc}/u.test(char)) return { name: "control character", shown: null };
  if (/\p{Cf}/u.test(char)) return { name: "format character", shown: null };
  if (/\p{Variation_Selector}/u.test(char)) return { name: "variation selector", shown: null };
  if (/\p{Co}/u.test(char)) return { name: "private character", shown: null };
  if (/\p{Cn}/u.test(char)) return { name: "unassigned character", shown: null };
  if (/\p{Zs}/u.test(char) && char !== " ") return { name: "unusual space", shown: null };
  if (/\p{M}/u.test(char) && /\p{M}/u.test(before)) return { name: "stacked accent", shown: `◌${char}` };
  if ((point >= 0x1d400 && point <= 0x1d7ff) || (point >= 0xff01 && point <= 0xff5e)) return { name: "imitates Latin", shown: char };
  return null;
}

/** Letters that imitate Latin ones: in a word that has Latin letters too, or in a word of nothing else in a text that is mostly Latin. */
function imitations(text: string): Map<number, Reading> {
  const found = new Map<number, Reading>();
  const all = text.match(LETTERS) ?? [];
  const latinText = all.filter((letter) => LATIN.test(letter)).length * 2 > all.length;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const letters = [...word];
    const mixed = letters.some((letter) => LATIN.test(letter) && !LOOK_ALIKES.has(letter));
    const disguised = latinText && letters.every((letter) => LOOK_ALIKES.has(letter));
    if (!mixed && !disguised) continue;
    let offset = index;
    for (const letter of letters) {
      const script = Object.entries(SCRIPTS).find(([, pattern]) => pattern.test(letter))?.[0];
      if (script || LOOK_ALIKES.has(letter)) found.set(offset, { name: script ?? "look-alike", shown: letter });
      offset += letter.length;
    }
  }
  return found;
}
