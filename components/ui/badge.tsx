import type { ReactNode } from "react";
import { Glyph, type GlyphName } from "./glyph";

const TONES = {
  staged: "text-staged bg-staged-tint border-current",
  second: "text-second bg-second-tint border-current",
  approved: "text-approved bg-approved-tint border-current border-dashed",
  applying: "text-applying bg-applying-tint border-current",
  applied: "text-applied bg-applied-tint border-current",
  rejected: "text-rejected bg-rejected-tint border-current",
  failed: "text-on-failed bg-failed border-failed",
  expired: "text-expired bg-expired-tint border-current border-dotted",
} as const;

export type Tone = keyof typeof TONES;

/** 20 px, a glyph and a word. Never a button. */
export function Badge({ glyph, tone, children }: { glyph: GlyphName; tone: Tone; children: ReactNode }) {
  return (
    <span className={`inline-flex items-center gap-[5px] rounded-1 border pr-[7px] pl-[5px] text-xs/[1.125rem] font-medium whitespace-nowrap ${TONES[tone]}`}>
      <Glyph name={glyph} className="size-3.5" />
      {children}
    </span>
  );
}
