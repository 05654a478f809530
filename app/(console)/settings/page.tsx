import type { Metadata } from "next";
import { MembersSheet } from "@/components/members/members-sheet";
import { requireContext } from "@/lib/edge/request-context";
import { readMembers } from "@/lib/identity/queries";
import { invite, remove, renew, setRole } from "./actions";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  const { ctx, merchant } = await requireContext();
  return <MembersSheet view={await readMembers(ctx)} merchant={merchant.name} actions={{ invite, renew, setRole, remove }} />;
}
