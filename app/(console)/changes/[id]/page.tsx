import type { Metadata } from "next";
import { ChangesDesk } from "@/components/changes/desk";
import { viewOf } from "@/components/changes/paths";
import { readChange } from "@/lib/changes/queries";
import { listChanges } from "@/lib/changes/queue";
import { requireContext } from "@/lib/edge/request-context";
import { orNotFound } from "../../or-not-found";

export const metadata: Metadata = { title: "A change" };

type Props = { params: Promise<{ id: string }>; searchParams: Promise<{ view?: string | string[] }> };

export default async function ChangePage({ params, searchParams }: Props) {
  const [{ ctx }, { id }, { view: asked }] = await Promise.all([requireContext(), params, searchParams]);
  const view = viewOf(asked);
  const [page, change] = await Promise.all([listChanges(ctx, { view }), orNotFound(readChange(ctx, id))]);
  return <ChangesDesk key={view} view={view} page={page} change={change} />;
}
