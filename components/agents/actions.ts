import type { Secret } from "@/lib/identity/key-forms";
import type { FormAction } from "@/components/forms/use-form";

export type AgentActions = { create: FormAction<{ id: string; name: string }>; makeKey: FormAction<Secret>; rotate: FormAction<Secret>; revoke: FormAction<void> };
