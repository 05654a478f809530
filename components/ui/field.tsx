import { useId, type ComponentProps, type ReactNode } from "react";
import { Glyph } from "./glyph";

// Hairline on three sides, ink below: a line to write on.
const LINE = "w-full rounded-t-1 border border-b-2 border-rule-strong border-b-ink bg-field px-3 text-ink placeholder:text-ink-3 aria-invalid:border-failed";

function Labelled({ label, error, hint, id, children }: { label: string; error?: string | undefined; hint?: ReactNode; id: string; children: ReactNode }) {
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">{label}</label>
      {children}
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : hint && <p id={`${id}-hint`} className="mt-1 text-xs text-ink-2">{hint}</p>}
    </div>
  );
}

function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="mt-1 flex gap-1.5 text-xs text-failed">
      <Glyph name="warning" />
      {children}
    </p>
  );
}

type Own = { label: string; error?: string | undefined; hint?: ReactNode };

const described = (id: string, error: string | undefined, hint: ReactNode): string | undefined =>
  error ? `${id}-error` : hint ? `${id}-hint` : undefined;

export function TextField({ label, error, hint, className = "", ...props }: ComponentProps<"input"> & Own) {
  const id = useId();
  return (
    <Labelled {...{ label, error, hint, id }}>
      <input id={id} className={`h-10 text-lg ${LINE} ${className}`} aria-invalid={error || props["aria-invalid"] ? true : undefined} aria-describedby={described(id, error, hint)} {...props} />
    </Labelled>
  );
}

export function TextArea({ label, error, hint, className = "", ...props }: ComponentProps<"textarea"> & Own) {
  const id = useId();
  return (
    <Labelled {...{ label, error, hint, id }}>
      <textarea id={id} className={`block py-2 text-md phone:text-lg ${LINE} ${className}`} aria-invalid={error ? true : undefined} aria-describedby={described(id, error, hint)} {...props} />
    </Labelled>
  );
}

export function SelectField({ label, error, hint, options, className = "", ...props }: ComponentProps<"select"> & Own & { options: readonly { value: string; word: string }[] }) {
  const id = useId();
  return (
    <Labelled {...{ label, error, hint, id }}>
      <select id={id} className={`h-10 text-lg ${LINE} ${className}`} aria-invalid={error ? true : undefined} aria-describedby={described(id, error, hint)} {...props}>
        {options.map(({ value, word }) => <option key={value} value={value}>{word}</option>)}
      </select>
    </Labelled>
  );
}

type Choice = { value: string; word: string; says?: string };
type Choices = { label: string; name: string; kind: "radio" | "checkbox"; options: readonly Choice[]; chosen: readonly string[]; error?: string | undefined };

/** One of a few, or several of them, each with its consequence. */
export function ChoiceField({ label, name, kind, options, chosen, error }: Choices) {
  const id = useId();
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1 font-medium">{label}</legend>
      {options.map(({ value, word, says }) => (
        <label key={value} className="flex min-h-6 items-start gap-2 border-t border-rule py-1 last:border-b coarse:min-h-11 coarse:py-2.5">
          <input type={kind} name={name} value={value} defaultChecked={chosen.includes(value)} className="mt-0.5 size-4 flex-none accent-sign" />
          <span><span className="font-medium">{word}</span>{says && <span className="text-ink-2">, {says}</span>}</span>
        </label>
      ))}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}
