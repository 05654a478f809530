"use client";

import { minorDigits, parseMoney } from "@/lib/kernel/money";
import { InlineField } from "@/components/ui/inline-field";
import { moneyText } from "@/components/ui/money";

/** What was typed, as it was understood: nothing where it was not. */
export function echoOf(text: string, currency: string): string | null {
  try {
    const plain = text.trim().replaceAll(/,(?=\d{3}(\D|$))/g, "");
    return moneyText(String(parseMoney(plain, currency).amountMinor), currency);
  } catch {
    return null;
  }
}

type MoneyProps = { label: string; currency: string; text: string; onText: (text: string) => void; error: string | undefined; /** What an empty field means. */ empty: string };

/** An amount of one currency, in its own digits. */
export function MoneyField({ label, currency, text, onText, error, empty }: MoneyProps) {
  const example = `0${minorDigits(currency) > 0 ? `.${"0".repeat(minorDigits(currency))}` : ""}`;
  return (
    <InlineField
      label={`${currency}, ${label}`} prefix={currency} inputMode="decimal" className="w-32" value={text} onChange={(event) => onText(event.target.value)}
      error={error === undefined ? undefined : `${error}, as in ${example}`} echo={text.trim() === "" ? empty : echoOf(text, currency)}
    />
  );
}

export function NumberField({ label, text, onText, error, empty }: { label: string; text: string; onText: (text: string) => void; error: string | undefined; empty?: string | undefined }) {
  return <InlineField label={label} inputMode="numeric" className={empty ? "w-36" : "w-20"} value={text} onChange={(event) => onText(event.target.value)} error={error} echo={text.trim() === "" ? empty : undefined} />;
}
