import { Glyph } from "@/components/ui/glyph";

export function OrderSearch({ value, busy, onChange }: { value: string; busy: boolean; onChange: (value: string) => void }) {
  return (
    <search className="relative w-72 phone:w-full">
      <label htmlFor="order-search" className="sr-only">Find an order by number or customer</label>
      <span className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-2"><Glyph name="search" /></span>
      <input
        id="order-search"
        type="search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        placeholder="Number or customer"
        aria-busy={busy}
        className="h-[var(--u-control)] w-full rounded-t-1 border border-b-2 border-rule-strong border-b-ink bg-field pr-3 pl-8 text-sm placeholder:text-ink-3 phone:text-lg"
      />
    </search>
  );
}
