const WIDTHS = [62, 48, 70, 54, 66, 44, 58];

/** The queue's own ruling with grey bars, shown only if loading takes a while. */
export function SkeletonRows({ rows = 9, label }: { rows?: number; label: string }) {
  return (
    <div role="status" aria-label={label} className="late overflow-hidden">
      {Array.from({ length: rows }, (_, index) => {
        const width = WIDTHS[index % WIDTHS.length] ?? 60;
        return (
          <svg key={index} aria-hidden="true" className="block h-14 w-full fill-none">
            <path d="M34.5 0v56M37.5 0v56" className="stroke-margin" />
            <path d={`M50 18h${width}M50 38h${width * 2.4}`} className="stroke-rule" strokeWidth="8" />
            <path d="M0 55.5h4000" className="stroke-rule" />
          </svg>
        );
      })}
    </div>
  );
}

/** A sheet on the way: a title, an amount, and ruled lines. */
export function SkeletonSheet({ label, lines = 8 }: { label: string; lines?: number }) {
  return (
    <div role="status" aria-label={label} className="late px-6 py-4">
      <svg aria-hidden="true" className="block h-96 w-full fill-none">
        <path d="M0 12h220M0 40h340" className="stroke-rule" strokeWidth="10" />
        {Array.from({ length: lines }, (_, index) => (
          <g key={index} className="stroke-rule">
            <path d={`M0 ${84 + index * 36}h${180 + (WIDTHS[index % WIDTHS.length] ?? 60)}`} strokeWidth="8" />
            <path d={`M0 ${102.5 + index * 36}h4000`} />
          </g>
        ))}
      </svg>
    </div>
  );
}
