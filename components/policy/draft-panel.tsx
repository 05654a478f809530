"use client";

import type { PolicyRules } from "@/lib/guardrails/schema";
import type { PolicyView } from "@/lib/guardrails/policy-view";
import { DeedDialog } from "@/components/forms/deed-dialog";
import { DeedForm } from "@/components/forms/deed-form";
import { Block } from "@/components/ui/block";
import { Button } from "@/components/ui/button";
import { Glyph } from "@/components/ui/glyph";
import type { PolicyActions } from "./actions";
import { confirmers } from "./confirmers";
import { countRules, DiffList } from "./diff-list";
import { refusesEverything } from "./draft";
import type { DraftHeld } from "./use-draft";

type Props = { view: PolicyView; held: DraftHeld; onTry: () => void; onPublished: (version: number | null) => void } & Pick<PolicyActions, "publish">;

/** What the draft would change, and what can be done with it. */
export function DraftPanel({ view, held, publish, onTry, onPublished }: Props) {
  const { read: { rules, errors }, differences, kept, touched, overtaken, discard } = held;
  const wrong = Object.keys(errors).length;
  return (
    <Block title={`Draft against version ${view.inForce.version}`} aside={<span role="status">{rules ? countRules(differences) : ""}</span>}>
      {rules ? <DiffList differences={differences} none="The draft is what is in force." /> : <p className="flex gap-1.5 py-1.5 text-failed"><Glyph name="warning" className="mt-0.5 size-4" />{wrong === 1 ? "One figure does" : `${wrong} figures do`} not fit yet. Nothing can be published.</p>}
      {overtaken && <p role="status" className="flex gap-1.5 py-1.5 text-second"><Glyph name="info" className="mt-0.5 size-4" />Version {view.inForce.version} came into force while you edited. Your draft is kept, and compared with it now.</p>}
      {kept && <p className="py-1.5 text-ink-2">Version {kept.version} is older than {kept.rules.length === 1 ? "one rule" : `${kept.rules.length} rules`}, which {kept.rules.length === 1 ? "stays" : "stay"} as in force: <span className="mono">{kept.rules.join(", ")}</span>.</p>}
      {rules && refusesEverything(rules) && <Nothing />}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button onClick={onTry} disabled={!rules}>Try it</Button>
        {view.mayGovern && <Publish view={view} rules={rules} differences={differences} publish={publish} onPublished={onPublished} />}
        {touched && <Button look="bare" onClick={discard}>Start over</Button>}
      </div>
      {view.mayGovern && view.proposal && <p className="pt-2 text-ink-2">A proposal waits: it is confirmed or ended before another is published.</p>}
    </Block>
  );
}

const Nothing = () => <p className="flex gap-1.5 py-1.5 text-failed"><Glyph name="warning" className="mt-0.5 size-4" />With these caps an agent could propose nothing at all: everything would be refused.</p>;

function Publish({ view, rules, differences, publish, onPublished }: { rules: PolicyRules | null; differences: DraftHeld["differences"] } & Pick<Props, "view" | "publish" | "onPublished">) {
  const next = view.inForce.version + 1;
  const waits = view.needsAnother;
  if (!rules || differences.length === 0 || view.proposal) return <Button look="primary" disabled>Publish…</Button>;
  return (
    <DeedDialog word="Publish…" title={waits ? "Propose this policy" : `Publish version ${next}`} look="primary">
      {({ close }) => (
        <DeedForm
          action={publish} hidden={{ rules: JSON.stringify(rules), base: String(view.inForce.version) }} onDone={({ version }) => { close(); onPublished(version); }} onCancel={close}
          deed={waits ? "Propose" : "Publish"} doing={waits ? "Proposing…" : "Publishing…"} notDone="Nothing was published."
        >
          <div className="max-h-[40vh] overflow-auto"><DiffList differences={differences} none="" /></div>
          {refusesEverything(rules) && <Nothing />}
          <p className="text-ink-2">{waits ? `It waits until ${confirmers(view)} confirms it. Until then version ${view.inForce.version} is in force.` : "It is in force at once, for what is proposed and for what is applied from now on."}</p>
        </DeedForm>
      )}
    </DeedDialog>
  );
}
