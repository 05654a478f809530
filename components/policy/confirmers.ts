import type { PolicyView } from "@/lib/guardrails/policy-view";
import { eitherOf } from "@/lib/browser/lists";

/** Who may confirm: by name, or nobody yet where this viewer took the other's place away today. */
export const confirmers = ({ others }: Pick<PolicyView, "others">): string => (others.length > 0 ? eitherOf(others) : "another admin");
