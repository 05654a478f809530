import type { Published } from "@/lib/guardrails/publish";
import type { FormAction } from "@/components/forms/use-form";

export type PolicyActions = { publish: FormAction<Published>; confirm: FormAction<Published>; decline: FormAction<void> };
