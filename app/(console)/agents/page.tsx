import type { Metadata } from "next";
import { AgentsSheet } from "@/components/agents/agents-sheet";
import { requireContext } from "@/lib/edge/request-context";
import { readAgents } from "@/lib/identity/queries";
import { create, makeKey, revoke, rotate } from "./actions";

export const metadata: Metadata = { title: "Agents" };

export default async function AgentsPage() {
  const { ctx } = await requireContext();
  return <AgentsSheet view={await readAgents(ctx)} actions={{ create, makeKey, rotate, revoke }} />;
}
