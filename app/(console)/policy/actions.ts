"use server";

import { formAction } from "@/lib/edge/form-action";
import { confirmPolicy, declinePolicy, ProposalInput } from "@/lib/guardrails/confirm";
import { PublishForm, publishFromForm } from "@/lib/guardrails/publish-form";

export const publish = formAction(PublishForm, publishFromForm);
export const confirm = formAction(ProposalInput, confirmPolicy);
export const decline = formAction(ProposalInput, declinePolicy);
