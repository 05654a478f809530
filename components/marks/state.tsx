import type { ChangeState } from "@/lib/changes/lifecycle";
import { Badge, type Tone } from "@/components/ui/badge";
import { Glyph, type GlyphName } from "@/components/ui/glyph";

type Shown = { glyph: GlyphName; tone: Tone; word: string };

const SHOWN: Record<ChangeState, Shown> = {
  staged: { glyph: "waiting", tone: "staged", word: "Waiting" },
  approved: { glyph: "approved", tone: "approved", word: "Approved" },
  applying: { glyph: "applying", tone: "applying", word: "Applying" },
  applied: { glyph: "applied", tone: "applied", word: "Applied" },
  failed: { glyph: "warning", tone: "failed", word: "Failed" },
  rejected: { glyph: "rejected", tone: "rejected", word: "Rejected" },
  withdrawn: { glyph: "back", tone: "expired", word: "Withdrawn" },
  expired: { glyph: "expired", tone: "expired", word: "Expired" },
};

type Standing = { state: ChangeState; have: number; required: number };

/** How a state is shown: a glyph and a word, never a colour alone. One of two signatures is shown as a state of its own. */
function shownState({ state, have, required }: Standing): Shown {
  if (state === "staged" && have > 0) return { glyph: "second", tone: "second", word: `${have} of ${required} signed` };
  return SHOWN[state];
}

export function StateBadge({ of }: { of: Standing }) {
  const { glyph, tone, word } = shownState(of);
  return <Badge glyph={glyph} tone={tone}>{word}</Badge>;
}

const COLOUR: Partial<Record<Tone, string>> = {
  staged: "text-staged", second: "text-second", approved: "text-approved", applying: "text-applying",
  applied: "text-applied", rejected: "text-rejected", failed: "text-failed", expired: "text-expired",
};

/** The glyph alone, for a margin; its word is there for screen readers. */
export function StateGlyph({ of }: { of: Standing }) {
  const { glyph, tone, word } = shownState(of);
  return <span className={COLOUR[tone]}><Glyph name={glyph} says={word} /></span>;
}
