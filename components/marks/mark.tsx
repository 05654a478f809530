/** An × above a line. */
function Mark({ className = "h-[18px] w-[26px]" }: { className?: string }) {
  return (
    <svg viewBox="0 0 26 18" aria-hidden="true" className={`flex-none fill-none stroke-sign ${className}`} strokeWidth="1.75" strokeLinecap="round">
      <path d="M2 4l6 6M8 4l-6 6M1 16h24" />
    </svg>
  );
}

export function Wordmark() {
  return (
    <span className="flex items-center gap-2 font-serif text-[1.1875rem] leading-none text-ink">
      <Mark />
      Undersigned
    </span>
  );
}

/** The line that waits for a name. */
export function SignatureLine({ className = "" }: { className?: string }) {
  return (
    <svg viewBox="0 0 160 24" aria-hidden="true" className={`h-6 w-40 fill-none ${className}`}>
      <path d="M8 6l9 9M17 6l-9 9" className="stroke-sign" strokeWidth="2" strokeLinecap="round" />
      <path d="M2 22h156" className="stroke-ink" strokeWidth="1.5" />
    </svg>
  );
}

/** The viewer's own × on a line that is still empty. */
export function OpenCross() {
  return (
    <svg viewBox="0 0 11 11" aria-hidden="true" className="block size-[11px] fill-none stroke-sign" strokeWidth="2" strokeLinecap="round">
      <path d="M1.5 1.5l8 8M9.5 1.5l-8 8" />
    </svg>
  );
}
