import type { AuditView } from "@/lib/changes/view";
import { Amount, moneyText } from "@/components/ui/money";
import { formatTime } from "@/lib/browser/times";

type Total = AuditView["totals"][number];

/** What the log says was paid out against what the store paid out, by day; one table for each currency. */
export function Totals({ totals }: { totals: readonly Total[] }) {
  const currencies = [...new Set(totals.map((total) => total.currency))];
  if (currencies.length === 0) {
    return <section><PartHead title="Log against store" /><p className="mt-2 text-ink-2">Nothing was approved yet, and the store has paid nothing out.</p></section>;
  }
  return currencies.map((currency) => <CurrencyTotals key={currency} currency={currency} totals={totals.filter((total) => total.currency === currency)} />);
}

export function PartHead({ title, aside }: { title: string; aside?: string }) {
  return <header className="flex min-h-8 items-center justify-between border-b border-rule-strong"><h2 className="font-semibold">{title}</h2>{aside && <span className="text-ink-2">{aside}</span>}</header>;
}

const apartOf = (total: Pick<Total, "appliedMinor" | "storeMinor">): bigint => BigInt(total.storeMinor) - BigInt(total.appliedMinor);

function CurrencyTotals({ currency, totals }: { currency: string; totals: readonly Total[] }) {
  const sum = (pick: (total: Total) => bigint) => totals.reduce((all, total) => all + pick(total), 0n).toString();
  const approved = sum((total) => BigInt(total.approvedMinor));
  const applied = sum((total) => BigInt(total.appliedMinor));
  const store = sum((total) => BigInt(total.storeMinor));
  const apart = sum(apartOf);
  const pending = BigInt(approved) - BigInt(applied);
  return (
    <section>
      <PartHead title="Log against store" aside={currency} />
      <table className="w-full border-collapse">
        <thead className="text-xs text-ink-2">
          <tr><th scope="col" className="py-[5px]">Day</th>{["Approved", "Applied", "Store", "Apart"].map((word) => <th key={word} scope="col" className="num py-1 pl-3">{word}</th>)}</tr>
        </thead>
        <tbody>
          {totals.map((total) => (
            <tr key={total.day} className="border-t border-rule">
              <th scope="row" className="py-1 whitespace-nowrap">{formatTime(new Date(`${total.day}T12:00:00Z`), "UTC", "day")}</th>
              <Figure minor={total.approvedMinor} currency={currency} />
              <Figure minor={total.appliedMinor} currency={currency} />
              <Figure minor={total.storeMinor} currency={currency} />
              <Figure minor={apartOf(total).toString()} currency={currency} bad={apartOf(total) !== 0n} />
            </tr>
          ))}
        </tbody>
        <tfoot className="text-md font-semibold">
          <tr className="border-t border-ink">
            <th scope="row" className="py-1 font-semibold">All</th>
            <Figure minor={approved} currency={currency} />
            <Figure minor={applied} currency={currency} final />
            <Figure minor={store} currency={currency} final />
            <Figure minor={apart} currency={currency} final bad={apart !== "0"} />
          </tr>
        </tfoot>
      </table>
      <p className="mt-2 text-xs text-ink-2">{verdictOf(BigInt(apart), pending, currency)}</p>
    </section>
  );
}

function verdictOf(apart: bigint, pending: bigint, currency: string): string {
  if (apart !== 0n) return `Log and store are ${moneyText((apart < 0n ? -apart : apart).toString(), currency)} apart. Run the check: it names the change.`;
  if (pending > 0n) return `${moneyText(pending.toString(), currency)} was approved and is not applied: taken back, failed, or about to take effect. Nothing was paid for it.`;
  return "Every amount that the store paid out has its entry.";
}

function Figure({ minor, currency, final = false, bad = false }: { minor: string; currency: string; final?: boolean; bad?: boolean }) {
  return <td className={`num py-1 pl-3 ${bad ? "font-semibold text-failed" : ""}`}><span className={final ? "double-ruled" : ""}><Amount minor={minor} currency={currency} /></span></td>;
}
