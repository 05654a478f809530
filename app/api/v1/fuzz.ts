import fc from "fast-check";

// Requests as nobody should send them. Each is one method, path, headers and body, from valid to hostile.

export type Ids = { order: string; line: string; change: string; session: string; merchant: string; foreign: { order: string; change: string; session: string; merchant: string } };
export type Fuzzed = { method: string; path: string; headers: [string, string][]; body: Uint8Array | null };

const HOSTILE_TEXT = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }), fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom("", "\u0000", "a\u0000b", "\ud800", "\udfff\ud800", "__proto__", "constructor", "\u202e\u200b", "%00", "%", "%E0%A4%A", "../..", "ord-", "' OR 1=1--", "-0", "NaN", "1e999", "9".repeat(400), "x".repeat(5000)),
);
const HOSTILE_JSON: fc.Arbitrary<unknown> = fc.oneof(HOSTILE_TEXT, fc.constantFrom(null, true, -1, 0, 1.5, 1e308, Number.MAX_SAFE_INTEGER), fc.constant([]), fc.constant({}), fc.jsonValue({ maxDepth: 3 }));
const anId = (ids: Ids): fc.Arbitrary<string> => fc.oneof(
  fc.constantFrom(ids.order, ids.line, ids.change, ids.session, ids.merchant, ids.foreign.order, ids.foreign.change, ids.foreign.merchant, "ord-AAAAAAAAAA", "chg-AAAAAAAAAA"), HOSTILE_TEXT,
);

/** A refund as the schema has it, any member of which may be missing, hostile or joined by strangers. */
function refund(ids: Ids): fc.Arbitrary<Record<string, unknown>> {
  const minor = fc.oneof(fc.constantFrom("1", "100", "999999", "9999999999999999"), fc.bigInt({ min: 1n, max: 99_999_999_999_999_999n }).map(String));
  const lines = fc.array(fc.record({ lineId: fc.constantFrom(ids.line, ids.order, "lin-AAAAAAAAAA"), quantity: fc.oneof(fc.integer(), fc.constant(1)), restock: fc.constantFrom("none", "returned", "cancelled") }), { maxLength: 4 });
  const rest = {
    kind: fc.constant("refund"), orderId: fc.oneof({ weight: 5, arbitrary: fc.constant(ids.order) }, fc.constantFrom(ids.foreign.order, "ord-AAAAAAAAAA")), reason: fc.constantFrom("damaged", "other"), note: fc.string(),
    evidence: fc.array(fc.record({ label: fc.string(), text: fc.string() }), { maxLength: 12 }), expiresAt: fc.constantFrom("2099-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999+14:00", "2026-02-30T00:00:00Z", ""),
  };
  const requiredKeys = ["kind", "orderId", "reason"] as const;
  const byAmount = fc.record({ ...rest, amount: fc.record({ amountMinor: minor, currency: fc.constantFrom("GBP", "GBP", "USD", "CHF") }) }, { requiredKeys: [...requiredKeys, "amount"] });
  const byLines = fc.record({ ...rest, lines, shipping: fc.record({ amountMinor: minor }) }, { requiredKeys: [...requiredKeys, "lines"] });
  const valid: fc.Arbitrary<Record<string, unknown>> = fc.oneof(byAmount, byLines);
  const member = fc.constantFrom("kind", "orderId", "reason", "amount", "lines", "shipping", "note", "evidence", "expiresAt", "approve", "__proto__", "constructor", "toString");
  const broken = fc.tuple(valid, fc.dictionary(member, HOSTILE_JSON, { maxKeys: 2 })).map(([body, more]) => Object.assign(Object.create(null), body, more) as Record<string, unknown>);
  return fc.oneof(valid, broken);
}

/** Bytes that are no JSON document of ours, whatever is in them. */
const HOSTILE_BYTES: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.constantFrom(
    "[".repeat(10_000), "[".repeat(10_000) + "]".repeat(10_000), '{"a":'.repeat(10_000) + "1" + "}".repeat(10_000), '{"kind":"refund","kind":"refund"}', '{"__proto__":{"kind":"refund"}}', '{"kind":"\\u0000"}', '{"kind":"\\ud800"}', "\ufeff{}",
    "1e999", "-", '"', "null", "[]", "true", '""', `{"note":"${"x".repeat(100_000)}"}`, `"${"\\u0041".repeat(40_000)}"`, "x".repeat(300 * 1024), `{"amount":{"amountMinor":${"9".repeat(1000)}}}`,
  ).map((text) => new TextEncoder().encode(text)),
  fc.constant(new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
);

const asBytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const headerText = fc.oneof(fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 300 }).map((text) => text.trim()), fc.constantFrom("", "\u00e9", "x".repeat(256), "a b"));

function headers(ids: Ids, secret: string, otherSecret: string): fc.Arbitrary<[string, string][]> {
  const mostly = (value: string | fc.Arbitrary<string>, odd: fc.Arbitrary<string>) => fc.oneof({ weight: 6, arbitrary: typeof value === "string" ? fc.constant(value) : value }, { weight: 1, arbitrary: odd });
  const usual = fc.record({
    authorization: mostly(`Bearer ${secret}`, fc.oneof(headerText, fc.constantFrom(`Bearer ${otherSecret}`, `Bearer usk_${"a".repeat(43)}`, "Basic eDp5", `bearer  ${secret}`))),
    "content-type": mostly("application/json", fc.oneof(headerText, fc.constantFrom("application/json; charset=utf-16", "APPLICATION/JSON", "text/plain", "multipart/form-data"))),
    "undersigned-session": mostly(ids.session, fc.oneof(headerText, fc.constantFrom(ids.foreign.session, "ses-AAAAAAAAAA"))),
    "idempotency-key": mostly(fc.uuid(), headerText),
  }, { requiredKeys: ["authorization"] });
  const odd = fc.dictionary(
    fc.constantFrom("x-middleware-subrequest", "x-http-method-override", "x-forwarded-host", "x-forwarded-for", "forwarded", "cookie", "content-length", "content-encoding", "accept", "range", "if-none-match", "expect", "te", "x-request-id"),
    fc.oneof(headerText, fc.constantFrom("src/middleware:src/middleware:src/middleware", "DELETE", "evil.example", "next-auth.session-token=x", "gzip", "99999999", "-1", "bytes=0-1")), { maxKeys: 2 },
  );
  return fc.tuple(usual, odd).map(([some, others]) => [...Object.entries(some), ...Object.entries(others)]);
}

const query = (...pairs: [string, fc.Arbitrary<string>][]): fc.Arbitrary<string> =>
  fc.array(fc.oneof(...pairs.map(([name, value]) => value.map((text) => [name, text] as const)), HOSTILE_TEXT.map((text) => [text, "1"] as const)), { maxLength: 3 }).map((some) => {
    const text = some.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&");
    return text && `?${text}`;
  });

/** Percent-encoded; half a surrogate pair as the bytes that it would be. */
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

/** A path with the method that it is for, mostly. */
function targets(ids: Ids): fc.Arbitrary<{ method: string; path: string }> {
  const id = anId(ids).map(encoded);
  const cursor = fc.oneof(
    HOSTILE_TEXT, fc.constantFrom("0", "999999999999999999", "-1"),
    fc.oneof(HOSTILE_TEXT.map((text) => `2026-01-01T00:00:00.000Z ${text}`), fc.constantFrom("-271821-04-20T00:00:00.000Z ord-1", "+275760-09-13T00:00:00.000Z ord-1", "0000-01-01T00:00:00Z x", "2026-01-01T00:00:00.000Z ord-AAAAAAAAAA")).map((text) => Buffer.from(text).toString("base64url")),
  );
  const limit = fc.oneof(fc.constantFrom("1", "100", "0", "101", "1e2", "0x10", " 5", ""), HOSTILE_TEXT);
  const dryRun = fc.oneof({ weight: 3, arbitrary: fc.constant("") }, { weight: 2, arbitrary: query(["dryRun", fc.constantFrom("true", "false", "TRUE", "1")]) });
  const get = (path: fc.Arbitrary<string>) => path.map((text) => ({ method: "GET", path: text }));
  const post = (path: fc.Arbitrary<string>) => path.map((text) => ({ method: "POST", path: text }));
  const usual = fc.oneof(
    { weight: 6, arbitrary: post(dryRun.map((text) => `/changes${text}`)) },
    { weight: 2, arbitrary: post(id.map((each) => `/changes/${each}/withdraw`)) },
    post(fc.constant("/sessions")), get(fc.constant("/policy")),
    get(query(["query", HOSTILE_TEXT], ["cursor", cursor], ["limit", limit]).map((text) => `/orders${text}`)),
    get(query(["state", fc.constantFrom("staged", "applied", "gone")], ["kind", fc.constantFrom("refund", "order")], ["cursor", cursor], ["limit", limit]).map((text) => `/changes${text}`)),
    get(id.map((each) => `/orders/${each}`)), get(id.map((each) => `/changes/${each}`)), get(id.map((each) => `/log/${each}/bundle`)),
    get(fc.array(id, { maxLength: 4 }).map((each) => `/${each.join("/")}`)),
  );
  const odd = fc.tuple(usual, fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")).map(([{ path }, method]) => ({ method, path }));
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: odd });
}

export function requests(ids: Ids, secret: string, otherSecret: string): fc.Arbitrary<Fuzzed> {
  const body = fc.oneof({ weight: 4, arbitrary: refund(ids).map(asBytes) }, { weight: 1, arbitrary: HOSTILE_JSON.map(asBytes) }, { weight: 2, arbitrary: HOSTILE_BYTES }, { weight: 1, arbitrary: fc.constant(null) });
  return fc.tuple(targets(ids), headers(ids, secret, otherSecret), body).map(([target, headers, body]) => ({ ...target, headers, body }));
}
