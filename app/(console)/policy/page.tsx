import type { Metadata } from "next";
import { PolicySheet } from "@/components/policy/policy-sheet";
import { requireContext } from "@/lib/edge/request-context";
import { readPolicyView } from "@/lib/guardrails/policy-view";
import { confirm, decline, publish } from "./actions";

export const metadata: Metadata = { title: "Policy" };

export default async function PolicyPage() {
  const { ctx } = await requireContext();
  return <PolicySheet initial={await readPolicyView(ctx)} actions={{ publish, confirm, decline }} />;
}
