const SHAPES = {
  tick: "M3 8.4l3.2 3.4L13 4.2",
  cross: "M4 4l8 8M12 4l-8 8",
  down: "M4 6.4l4 4 4-4",
  up: "M4 9.6l4-4 4 4",
  back: "M9.8 3L5 8l4.8 5",
  forward: "M6.2 3L11 8l-4.8 5",
  search: "M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4zM10.2 10.2L13.6 13.6",
  info: "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2zM8 7.4v3.4M8 5.1v.1",
  warning: "M8 2.2L14.4 13.6H1.6zM8 6.4v3.4M8 11.7v.1",
  paper: "M3.5 1.8h6l3 3v9.4h-9zM9.5 1.8v3h3",
  person: "M8 2.6a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2zM2.8 13.6c.4-3 2.4-4.4 5.2-4.4s4.8 1.4 5.2 4.4",
  key: "M5.2 7.6a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM7.4 8.6L13.4 2.6M10.8 5.2l2 2",
  pause: "M5.5 3.2v9.6M10.5 3.2v9.6",
  clock: "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2zM8 4.8V8l2.2 1.6",
  waiting: "M1.5 13.8h13M4.8 3.2l6 6M10.8 3.2l-6 6",
  second: "M1.5 13.5h5.5M9.5 13.5h5M2 8.2l1.9 2.1L7.2 4.5M11 7l2.6 2.6M13.6 7L11 9.6",
  approved: "M1.5 13.5h2.4M6.8 13.5h2.4M12.1 13.5h2.4M4 7l2.8 3L12 3.2",
  applying: "M1.5 13.5h13M3 7h9M9 3.8L12.2 7 9 10.2",
  applied: "M1.5 11.8h13M1.5 14.6h13M4 5.8l2.8 3L12 2",
  rejected: "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2zM4 4l8 8",
  expired: "M4.2 2.2h7.6M4.2 13.8h7.6M5 2.2v2.2L8 8l3-3.6V2.2M5 13.8v-2.2L8 8l3 3.6v2.2",
} as const;

export type GlyphName = keyof typeof SHAPES;

/** A 16 px line drawing in the text's colour. `says` is read out where no word stands beside it. */
export function Glyph({ name, says, className = "size-4" }: { name: GlyphName; says?: string; className?: string }) {
  return (
    <>
      <svg viewBox="0 0 16 16" aria-hidden="true" className={`inline-block flex-none fill-none stroke-current align-[-3px] ${className}`} strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round">
        <path d={SHAPES[name]} />
      </svg>
      {says && <span className="sr-only">{says}</span>}
    </>
  );
}
