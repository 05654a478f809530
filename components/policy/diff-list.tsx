import type { Difference } from "./diff";
import { sentenceOf } from "./rules";

/** Rule by rule, what was and what is now: "500.00 → 400.00". */
export function DiffList({ differences, none }: { differences: readonly Difference[]; none: string }) {
  if (differences.length === 0) return <p className="py-1.5 text-ink-2">{none}</p>;
  const rules = [...new Set(differences.map(({ rule }) => rule))];
  return (
    <dl>
      {rules.map((rule) => (
        <div key={rule} className="border-b border-rule py-1.5">
          <dt>{sentenceOf(rule)}</dt>
          {differences.filter((each) => each.rule === rule).map(({ of, was, now }) => (
            <dd key={of} className="flex flex-wrap justify-end gap-x-1.5 text-right tabular-nums">
              {of && <span className="mr-auto text-xs/5 text-ink-2">{of}</span>}
              <Figure word={was} none={noneOf(rule, of)} says="was" faded />
              <span aria-hidden="true" className="text-ink-3">→</span>
              <Figure word={now} none={noneOf(rule, of)} says="now" />
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

/** What it means that a policy does not name a figure. */
const noneOf = (rule: string, of: string | null): string => (of === null ? "not set" : rule === "refund_approvals" ? "no such tier" : "no cap: refused");

function Figure({ word, none, says, faded = false }: { word: string | null; none: string; says: string; faded?: boolean }) {
  return <span className={faded ? "text-ink-2" : "font-semibold"}><span className="sr-only">{says} </span>{word ?? <i className="font-normal">{none}</i>}</span>;
}

/** "2 rules differ" */
export function countRules(differences: readonly Difference[]): string {
  const count = new Set(differences.map(({ rule }) => rule)).size;
  return count === 0 ? "nothing differs" : `${count} ${count === 1 ? "rule differs" : "rules differ"}`;
}
