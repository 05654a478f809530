/** An amount in integer minor units with its ISO 4217 currency. */
export type Money = { readonly amountMinor: bigint; readonly currency: string };

const NO_MINOR = new Set(["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"]);
const THREE = new Set(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]);

/** Digits after the decimal point, from ISO 4217 (not from Intl, whose CLDR data differs for ISK, HUF and others). */
export function minorDigits(currency: string): number {
  return NO_MINOR.has(currency) ? 0 : THREE.has(currency) ? 3 : 2;
}

/** Parses a plain decimal ("12.50") exactly; never through a float. Throws on more digits than the currency has. */
export function parseMoney(decimal: string, currency: string): Money {
  const digits = minorDigits(currency);
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal);
  const fraction = match?.[3] ?? "";
  if (!match || fraction.length > digits) throw new Error(`not an amount in ${currency}: ${decimal}`);
  const magnitude = BigInt(`${match[2]}${fraction.padEnd(digits, "0")}`);
  return { amountMinor: match[1] ? -magnitude : magnitude, currency };
}

const MOST = 10n ** 16n;

/** Minor units of what a person typed as an amount, at most 16 digits; null where it is none, or below zero. */
export function amountIn(typed: string, currency: string): bigint | null {
  try {
    const { amountMinor } = parseMoney(typed.trim(), currency);
    return amountMinor < 0n || amountMinor >= MOST ? null : amountMinor;
  } catch {
    return null;
  }
}

/** "12.50": plain decimal, ASCII minus. */
export function toDecimal({ amountMinor, currency }: Money): string {
  const digits = minorDigits(currency);
  const sign = amountMinor < 0n ? "-" : "";
  const text = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(digits + 1, "0");
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

const SIGN = "−";

/** "£12.50", "−£12.50" with U+2212, grouped as the locale groups. Exact for any size. */
export function formatMoney(money: Money, locale = "en-GB"): string {
  return format(money, locale, { style: "currency", currency: money.currency });
}

/** "12.50" grouped, without a symbol: for columns that say their currency once. */
export function formatAmount(money: Money, locale = "en-GB"): string {
  return format(money, locale, {});
}

function format(money: Money, locale: string, style: Intl.NumberFormatOptions): string {
  const digits = minorDigits(money.currency);
  const magnitude = { ...money, amountMinor: money.amountMinor < 0n ? -money.amountMinor : money.amountMinor };
  const text = new Intl.NumberFormat(locale, { ...style, minimumFractionDigits: digits, maximumFractionDigits: digits })
    .format(toDecimal(magnitude) as Intl.StringNumericLiteral);
  return money.amountMinor < 0n ? SIGN + text : text;
}

/** The part of `total` that `part` of `whole` units carry, rounded down: the last part absorbs what is left. */
export const proportion = (total: bigint, part: number, whole: number): bigint => (total * BigInt(part)) / BigInt(whole);
