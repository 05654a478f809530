import type { Invitation } from "@/lib/identity/invite";
import type { FormAction } from "@/components/forms/use-form";

export type MemberActions = { invite: FormAction<Invitation>; renew: FormAction<Invitation>; setRole: FormAction<void>; remove: FormAction<void> };
