import { useId } from "react";
import { moneyText } from "@/components/ui/money";

export type Part = { word: string; minor: string; look: "spent" | "hatch" | "dispute" | "this" | "blank" };

const WIDTH = 700;

/** One bar drawn to the scale of what was paid: solid, hatch, ink, blank. */
export function Purse({ captured, currency, parts }: { captured: string; currency: string; parts: readonly Part[] }) {
  const hatch = useId();
  const whole = BigInt(captured);
  const shown = parts.filter((part) => part.look !== "blank" && BigInt(part.minor) > 0n);
  const widths = shown.map((part) => (whole > 0n ? Number((BigInt(part.minor) * BigInt((WIDTH - 2) * 1000)) / whole) / 1000 : 0));
  const starts = widths.map((_, index) => 1 + widths.slice(0, index).reduce((sum, width) => sum + width, 0));
  const says = `Of ${moneyText(captured, currency)} paid: ${parts.map((part) => `${moneyText(part.minor, currency)} ${part.word.toLowerCase()}`).join(", ")}`;
  return (
    <svg className="mt-2 block h-3.5 w-full overflow-hidden" viewBox={`0 0 ${WIDTH} 20`} preserveAspectRatio="none" role="img" aria-label={says}>
      <Hatch id={hatch} />
      <rect x=".5" y=".5" width={WIDTH - 1} height="19" className="fill-field stroke-rule-strong" />
      {shown.map((part, index) => (
        <g key={part.word}>
          <rect x={starts[index]} y="1" width={Math.max(1, widths[index] ?? 0)} height="18" {...filling(part.look, hatch)} />
          {part.look === "hatch" && <path d={`M${(starts[index] ?? 0) + (widths[index] ?? 0)} 0v20`} className="stroke-rule-strong" />}
        </g>
      ))}
    </svg>
  );
}

function Hatch({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0v5" className="stroke-second" strokeWidth="2.4" /></pattern>
    </defs>
  );
}

function filling(look: Part["look"], hatch: string) {
  if (look === "hatch") return { fill: `url(#${hatch})` };
  return { className: { spent: "fill-ink-3", dispute: "fill-failed", this: "fill-sign", blank: "fill-field" }[look] };
}

/** The key to a part of the bar. */
export function PartKey({ look }: { look: Part["look"] }) {
  return (
    <svg viewBox="0 0 10 10" aria-hidden="true" className="size-2.5 flex-none overflow-hidden">
      {look === "hatch" && <path d="M0 10L10 0M-3 7L7-3M3 13L13 3" className="stroke-second" strokeWidth="2" />}
      {look === "blank" && <path d="M.5.5h9v9h-9z" className="fill-field stroke-rule-strong" />}
      {(look === "spent" || look === "this" || look === "dispute") && <path d="M0 0h10v10H0z" {...filling(look, "")} />}
    </svg>
  );
}
