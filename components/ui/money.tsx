import { formatAmount, formatMoney } from "@/lib/kernel/money";

type Props = { minor: string; currency: string; out?: boolean; className?: string };

/** "£12.50". `out` shows it as money leaving the shop: "−£12.50". */
export function Money({ minor, currency, out = false, className }: Props) {
  return <span className={className}>{moneyText(minor, currency, out)}</span>;
}

/** "12.50", for a column that says its currency once. */
export function Amount({ minor, currency, out = false, className }: Props) {
  return <span className={className}>{formatAmount(signed(minor, currency, out))}</span>;
}

export const moneyText = (minor: string, currency: string, out = false): string => formatMoney(signed(minor, currency, out));

function signed(minor: string, currency: string, out: boolean) {
  const amountMinor = BigInt(minor);
  return { amountMinor: out && amountMinor > 0n ? -amountMinor : amountMinor, currency };
}
