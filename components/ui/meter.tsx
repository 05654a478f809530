/** A rule that is thick up to the actual. Figures stand beside it, so it is hidden from screen readers. */
export function Meter({ percent, tone, notch }: { percent: number; tone: "applied" | "second" | "failed"; notch?: number | undefined }) {
  const stroke = { applied: "stroke-applied", second: "stroke-second", failed: "stroke-failed" }[tone];
  return (
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" className="mt-px block h-1 w-full fill-none">
      <path d="M0 3.5h100" className="stroke-rule-strong" />
      <path d={`M0 2h${percent}`} className={stroke} strokeWidth="4" />
      {notch !== undefined && <path d={`M${notch} 0v4`} className="stroke-sheet" />}
    </svg>
  );
}

/** What is left of a short time. */
export function Remaining({ percent }: { percent: number }) {
  return (
    <svg viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true" className="block h-[3px] w-full">
      <path d="M0 1.5h100" className="stroke-rule" strokeWidth="3" />
      <path d={`M0 1.5h${percent}`} className="stroke-sign" strokeWidth="3" />
    </svg>
  );
}
