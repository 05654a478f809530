import type { Segment } from "./reveal-hidden";

/** What an agent wrote, inert: no links, no formatting of its own, no direction of its own. */
export function AgentText({ segments }: { segments: readonly Segment[] }) {
  return segments.map((segment, index) =>
    segment.kind === "text" ? segment.text : (
      <span key={index} className="mx-px inline-block rounded-1 border border-current bg-mark-tint px-[3px] font-mono text-[0.6875rem]/4 font-medium whitespace-nowrap text-mark">
        {segment.shown === null ? `${segment.code} ${segment.name}` : `${segment.shown} ${segment.name} ${segment.code}`}
        {segment.count > 1 && ` ×${segment.count}`}
      </span>
    ),
  );
}

/** On band with a grey bar, left to right and isolated, all of it. */
export function AgentQuote({ segments }: { segments: readonly Segment[] }) {
  return (
    <div dir="ltr" className="mt-1.5 border-l-[3px] border-rule-strong bg-band px-3 py-1.5 text-md/[1.375rem] break-words whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:isolate]">
      <AgentText segments={segments} />
    </div>
  );
}
