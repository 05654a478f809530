"use server";

import { ProposeInput, proposeRefund } from "@/lib/changes/propose";
import { formAction } from "@/lib/edge/form-action";

export const propose = formAction(ProposeInput, proposeRefund);
