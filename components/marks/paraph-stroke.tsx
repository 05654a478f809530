import { paraph } from "./paraph";

/** The stroke of a person's decision; none where the hash is missing. Stands beside the hex hash, which is what may be checked. */
export function ParaphStroke({ leafHash, fresh = false, className = "" }: { leafHash: string; fresh?: boolean; className?: string }) {
  if (!/^[0-9a-f]{64}$/.test(leafHash)) return null;
  return (
    <svg viewBox="0 0 120 32" aria-hidden="true" className={`fill-none stroke-sign ${className}`} strokeLinecap="round" strokeLinejoin="round">
      <path d={paraph(leafHash)} pathLength={fresh ? 1 : undefined} className={fresh ? "stroke-drawn" : undefined} />
    </svg>
  );
}
