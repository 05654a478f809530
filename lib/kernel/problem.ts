import { REFUSALS, type Refusal } from "./refusal";

/** The body of a refusal over HTTP: RFC 9457 with our code (DESIGN section 8). */
export function problemBody(refusal: Refusal, requestId: string): string {
  const { status, title } = REFUSALS[refusal.code];
  const { detail, fields, violations, moved } = refusal.more;
  return JSON.stringify({
    type: `urn:undersigned:problem:${refusal.code}`, title, status, code: refusal.code, detail: detail ?? title, requestId,
    violations: violations ?? (fields && Object.entries(fields).flatMap(([path, texts]) => texts.map((text) => ({ rule: "input", path, cap: "", actual: text })))),
    moved,
  });
}
