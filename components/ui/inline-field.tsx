import { useId, type ComponentProps, type ReactNode } from "react";

type Props = Omit<ComponentProps<"input">, "prefix"> & { /** Read out; the sentence around it says it to the eye. */ label: string; prefix?: string; error?: string | undefined; echo?: ReactNode };

/** A field within a sentence: a line to write on, below it what was understood or what does not fit. */
export function InlineField({ label, prefix, error, echo, className = "w-28", ...props }: Props) {
  const id = useId();
  const below = error ?? echo;
  return (
    <span className={`inline-block align-top ${className}`}>
      <span className="relative block">
        {prefix && <span aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-2 grid place-items-center text-xs text-ink-3">{prefix}</span>}
        <input
          aria-label={label} aria-invalid={error ? true : undefined} aria-describedby={below ? id : undefined} autoComplete="off"
          className={`h-[var(--u-control)] w-full rounded-t-1 border border-b-2 border-rule-strong border-b-ink bg-field pr-2 text-right tabular-nums text-ink placeholder:text-ink-3 aria-invalid:border-failed coarse:text-lg ${prefix ? "pl-10" : "pl-2"}`}
          {...props}
        />
      </span>
      {below && <span id={id} className={`block pt-0.5 text-right text-xs ${error ? "text-failed" : "text-ink-3"}`}>{below}</span>}
    </span>
  );
}
