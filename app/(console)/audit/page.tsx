import type { Metadata } from "next";
import { LogSheet } from "@/components/audit/log-sheet";
import { readAudit } from "@/lib/changes/audit-view";
import { requireContext } from "@/lib/edge/request-context";

export const metadata: Metadata = { title: "Audit" };

export default async function AuditPage() {
  const { ctx, merchant } = await requireContext();
  return <LogSheet merchantId={merchant.id} initial={await readAudit(ctx)} />;
}
