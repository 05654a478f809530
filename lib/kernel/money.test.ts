import fc from "fast-check";
import { expect, test } from "vitest";
import { formatAmount, formatMoney, minorDigits, parseMoney, proportion, toDecimal } from "./money";

const currency = fc.constantFrom("GBP", "EUR", "USD", "JPY", "KWD");
const minor = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n });

test("an amount survives its decimal, exactly, whatever its size", () => {
  fc.assert(fc.property(minor, currency, (amountMinor, code) => {
    expect(parseMoney(toDecimal({ amountMinor, currency: code }), code)).toEqual({ amountMinor, currency: code });
  }));
});

test("as many digits as the currency has, and no more", () => {
  expect([minorDigits("JPY"), minorDigits("GBP"), minorDigits("KWD")]).toEqual([0, 2, 3]);
  expect(parseMoney("5800", "JPY").amountMinor).toBe(5800n);
  expect(parseMoney("1.255", "KWD").amountMinor).toBe(1255n);
  expect(parseMoney("0.1", "GBP").amountMinor).toBe(10n);
  for (const [text, code] of [["1.2555", "KWD"], ["100.5", "JPY"], ["1.234", "GBP"], ["1,5", "GBP"], ["1e3", "GBP"], ["", "GBP"], ["-", "GBP"], [" 1", "GBP"]] as const) expect(() => parseMoney(text, code)).toThrow("not an amount");
});

test("figures are grouped exactly, beyond what a float holds, with a true minus sign", () => {
  expect(formatMoney({ amountMinor: 900_719_925_474_099_301n, currency: "GBP" })).toBe("£9,007,199,254,740,993.01");
  expect(formatMoney({ amountMinor: -12_060n, currency: "GBP" })).toBe("−£120.60");
  expect(formatAmount({ amountMinor: 1255n, currency: "KWD" })).toBe("1.255");
  expect(formatMoney({ amountMinor: 5800n, currency: "JPY" })).toBe("JP¥5,800");
});

test("a share is rounded down, and the shares of all parts never exceed the whole", () => {
  fc.assert(fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 20 }), (total, parts) => {
    const whole = parts.reduce((sum, part) => sum + part, 0);
    const shares = parts.reduce((sum, part) => sum + proportion(total, part, whole), 0n);
    expect(shares <= total && total - shares < BigInt(parts.length)).toBe(true);
  }));
});
