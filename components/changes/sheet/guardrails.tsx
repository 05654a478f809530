import type { ChangeView } from "@/lib/changes/view";
import { Glyph, type GlyphName } from "@/components/ui/glyph";
import { Meter } from "@/components/ui/meter";
import { Block } from "@/components/ui/block";
import { railsOf, type Rail } from "./rails";

const SHOWN: Record<Rail["standing"], { glyph: GlyphName; says: string; colour: string; meter: "applied" | "second" | "failed" }> = {
  within: { glyph: "tick", says: "within the cap", colour: "text-applied", meter: "applied" },
  close: { glyph: "info", says: "within the cap, close to it", colour: "text-second", meter: "second" },
  more: { glyph: "second", says: "not yet enough", colour: "text-second", meter: "second" },
  over: { glyph: "warning", says: "over the cap", colour: "text-failed", meter: "failed" },
};

export function Guardrails({ change }: { change: ChangeView }) {
  // Signatures are asked for only while the change waits for them.
  const rails = railsOf(change).filter(({ rule }) => rule !== "refund_approvals" || change.state === "staged");
  const broken = rails.filter((rail) => rail.standing === "over").length;
  return (
    <Block title="Guardrails" aside={`policy version ${change.verdict.policy}, judged now`} note={
      broken > 0 ? <span className="text-failed">{broken} of {rails.length} broken</span> : <span className="text-applied">all {rails.length} hold</span>
    }>
      <ul className="grid grid-cols-2 gap-x-6 mid:grid-cols-1">
        {rails.map((rail) => <RailRow key={rail.key} rail={rail} policy={change.verdict.policy} />)}
      </ul>
    </Block>
  );
}

function RailRow({ rail, policy }: { rail: Rail; policy: number }) {
  const { glyph, says, colour, meter } = SHOWN[rail.standing];
  return (
    <li className="grid grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-2 pt-0.5 phone:pt-1.5" title={`${rail.rule}, policy version ${policy}`}>
      <span className={colour}><Glyph name={glyph} says={`${says}:`} /></span>
      <span>
        {rail.words}
        {rail.tag && <b className={`ml-1 text-xs font-medium ${colour}`}>{rail.tag}</b>}
        <span className="sr-only">, rule {rail.rule}</span>
      </span>
      <span className="num text-xs text-ink-2">
        {rail.actual !== null && <><b className="text-sm font-medium text-ink">{rail.actual}</b> of {rail.cap}</>}
      </span>
      <span className="col-span-full"><Meter percent={rail.percent} tone={meter} notch={rail.notch} /></span>
    </li>
  );
}
