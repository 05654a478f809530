import type { Metadata } from "next";
import { ChangesDesk } from "@/components/changes/desk";
import { viewOf } from "@/components/changes/paths";
import { readChange } from "@/lib/changes/queries";
import { listChanges } from "@/lib/changes/queue";
import { requireContext } from "@/lib/edge/request-context";

export const metadata: Metadata = { title: "Changes" };

export default async function ChangesPage({ searchParams }: { searchParams: Promise<{ view?: string | string[] }> }) {
  const [{ ctx }, { view: asked }] = await Promise.all([requireContext(), searchParams]);
  const view = viewOf(asked);
  const page = await listChanges(ctx, { view });
  const first = page.items[0];
  return <ChangesDesk key={view} view={view} page={page} change={first && (await readChange(ctx, first.id))} />;
}
