/** The beginning of a hash in groups of eight; the whole of it in the tooltip. */
export function ShortHash({ hex, groups = 2, className = "" }: { hex: string; groups?: number; className?: string }) {
  return <span className={`mono ${className}`} title={hex}>{grouped(hex.slice(0, groups * 8))}…</span>;
}

/** All of it, in groups, to be read aloud or compared. */
export function FullHash({ hex, className = "" }: { hex: string; className?: string }) {
  return <span className={`mono break-words ${className}`}>{grouped(hex)}</span>;
}

const grouped = (hex: string): string => hex.match(/.{1,8}/g)?.join(" ") ?? "";
