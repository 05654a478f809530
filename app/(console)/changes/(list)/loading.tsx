import { SkeletonRows, SkeletonSheet } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <div className="grid min-h-[calc(100dvh-var(--u-bar))] grid-cols-[22.5rem_minmax(0,1fr)] pt-9 mid:grid-cols-[19rem_minmax(0,1fr)] one:grid-cols-1">
      <SkeletonRows label="Loading changes" />
      <div className="border-l border-rule-strong bg-sheet one:hidden"><SkeletonSheet label="Loading the change" /></div>
    </div>
  );
}
