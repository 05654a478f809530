import { SkeletonSheet } from "@/components/ui/skeleton";

export default function Loading() {
  return <main className="min-h-[calc(100dvh-var(--u-bar))] bg-sheet"><SkeletonSheet label="Loading the policy" lines={10} /></main>;
}
