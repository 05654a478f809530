type Point = readonly [number, number];

/**
 * The pen stroke that stands for one entry: an SVG path for `viewBox="0 0 120 32"`, drawn from the entry's leaf hash.
 * Pure: the same 64 hex digits give the same stroke everywhere. An aid to the eye, never proof.
 */
export function paraph(leafHash: string): string {
  const bytes = (leafHash.match(/[0-9a-f]{2}/gi) ?? []).map((pair) => Number.parseInt(pair, 16));
  if (bytes.length !== 32) throw new Error("a paraph needs 64 hex digits");
  const byte = (index: number): number => bytes[index] ?? 0;

  const points = upAndDown(byte);
  const end = points.at(-1)?.[0] ?? 0;
  return curve(points, 0.23) + throwBack(byte, end);
}

/** The letters: up and down strokes, then two points that run out to the right. */
function upAndDown(byte: (index: number) => number): Point[] {
  const points: Point[] = [];
  let x = 5 + (byte(0) % 6);
  const strokes = 6 + (byte(1) % 3);
  for (let i = 0; i < strokes; i++) {
    const up = i % 2 === 0;
    const tall = byte(i + 2) > 170 || i === 0;
    const y = up ? (tall ? 3 + (byte(i + 2) % 5) : 10 + (byte(i + 2) % 6)) : 19 + (byte(i + 9) % 7);
    points.push([x, y]);
    x += up ? (byte(i + 16) % 11) - 4 : 6 + (byte(i + 16) % 11);
  }
  points.push([x + 8, 17 + (byte(28) % 4)], [x + 20 + (byte(29) % 12), 14 + (byte(30) % 5)]);
  return points;
}

/** The line thrown back under the name: what makes it a paraph. */
function throwBack(byte: (index: number) => number, end: number): string {
  const start = 8 + (byte(25) % 14);
  const dip = 27 + (byte(26) % 3);
  const bend = `${round((start + end) / 2)} ${dip + 3 - (byte(27) % 6)}`;
  return `M${start} ${dip - 1}Q${bend} ${round(Math.min(116, end + 8 + (byte(24) % 14)))} ${round(dip - 5)}`;
}

/** A cubic through all points. */
function curve(points: readonly Point[], tension: number): string {
  const at = (index: number): Point => points[Math.min(Math.max(index, 0), points.length - 1)] ?? [0, 0];
  let path = `M${round(at(0)[0])} ${round(at(0)[1])}`;
  for (let i = 0; i < points.length - 1; i++) {
    const [before, from, to, after] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    path += `C${round(from[0] + (to[0] - before[0]) * tension)} ${round(from[1] + (to[1] - before[1]) * tension)}`;
    path += ` ${round(to[0] - (after[0] - from[0]) * tension)} ${round(to[1] - (after[1] - from[1]) * tension)}`;
    path += ` ${round(to[0])} ${round(to[1])}`;
  }
  return path;
}

const round = (value: number): number => Math.round(value * 10) / 10;
