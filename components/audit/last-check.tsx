import type { AuditView } from "@/lib/changes/view";
import { Glyph } from "@/components/ui/glyph";
import { RecentTime } from "@/components/ui/time";
import { PartHead } from "./totals";

type Check = NonNullable<AuditView["check"]>;

/** What the last audit:fsck found; a finding also stands above everything else. */
export function LastCheck({ check, size }: { check: AuditView["check"]; size: number }) {
  return (
    <section>
      <PartHead title="Database check" />
      {check ? <Result check={check} size={size} /> : <p className="mt-2 text-ink-2">Not checked yet. <code className="mono">npm run audit:fsck</code> checks every entry, and every row against its last entry.</p>}
    </section>
  );
}

function Result({ check, size }: { check: Check; size: number }) {
  const newer = size - check.entries;
  return (
    <>
      <p className={`mt-2 flex gap-1.5 ${check.findings === 0 ? "text-applied" : "text-failed"}`}>
        <Glyph name={check.findings === 0 ? "tick" : "warning"} className="mt-0.5 size-4" />
        {check.findings === 0 ? "Every row matched its last entry." : findingWords(check)}
      </p>
      <p className="text-ink-2">audit:fsck at <RecentTime at={check.at} today="minute" />, {check.entries.toLocaleString("en-GB")} entries, {check.findings.toLocaleString("en-GB")} {check.findings === 1 ? "finding" : "findings"}</p>
      {newer > 0 && <p className="text-ink-2">{newer.toLocaleString("en-GB")} newer {newer === 1 ? "entry is" : "entries are"} not checked yet.</p>}
    </>
  );
}

const findingWords = ({ findings }: Check): string => `${findings.toLocaleString("en-GB")} ${findings === 1 ? "finding" : "findings"} in the log or the database.`;

export function FindingSheet({ check }: { check: Check }) {
  return (
    <section role="alert" className="mt-3 border border-l-4 border-failed bg-failed-tint px-4 py-3">
      <h2 className="flex items-center gap-1.5 font-serif text-xl text-failed"><Glyph name="warning" className="size-5" />This log does not check out</h2>
      <p>{findingWords(check)} Found at <RecentTime at={check.at} today="minute" />. Download the bundle and keep it before anything else; <code className="mono">npm run audit:fsck</code> names each finding by kind and place.</p>
    </section>
  );
}
