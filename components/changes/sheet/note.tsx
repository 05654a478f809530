import type { ChangeView } from "@/lib/changes/view";
import { AgentQuote, AgentText } from "@/components/text/agent-text";
import { countMarks, revealHidden } from "@/components/text/reveal-hidden";
import { Block } from "@/components/ui/block";
import { Glyph } from "@/components/ui/glyph";

/** Everything an agent wrote on a change, with what hides in it made visible. */
export function readNote(change: ChangeView) {
  const note = change.note === null ? null : revealHidden(change.note);
  const evidence = change.evidence.map(({ label, text }) => ({ label: revealHidden(label), text: revealHidden(text) }));
  const marks = countMarks([...(note ?? []), ...evidence.flatMap((each) => [...each.label, ...each.text])]);
  return { note, evidence, marks };
}

/** `person`: who wrote it, where no agent did. */
export function Note({ read, person }: { read: ReturnType<typeof readNote>; person: string | null }) {
  const { note, evidence, marks } = read;
  const title = person === null ? "Agent’s note" : `${person}’s note`;
  if (note === null && evidence.length === 0) return <Block id="note" title={title}><p className="mt-1.5 text-ink-2">{person ?? "The agent"} wrote none.</p></Block>;
  return (
    <Block id="note" title={title} aside={person === null && <><span className="phone:hidden">written by the agent, </span>not checked by anyone</>}>
      {marks > 0 && (
        <p className="mt-1.5 flex gap-1.5 font-medium text-mark">
          <Glyph name="warning" />{marks.toLocaleString("en-GB")} hidden or look-alike {marks === 1 ? "character, shown as a mark" : "characters, shown as marks"}
        </p>
      )}
      {note && <AgentQuote segments={note} />}
      {evidence.map(({ label, text }, index) => (
        <figure key={index}>
          <figcaption dir="ltr" className="mt-2 text-xs text-ink-2 [overflow-wrap:anywhere] [unicode-bidi:isolate]">Evidence {index + 1}: <AgentText segments={label} /></figcaption>
          <AgentQuote segments={text} />
        </figure>
      ))}
    </Block>
  );
}
