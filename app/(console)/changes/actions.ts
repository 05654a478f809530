"use server";

import { ApproveInput, approveChange } from "@/lib/changes/approve";
import { RejectInput, rejectChange } from "@/lib/changes/reject";
import { RetractInput, retractApproval } from "@/lib/changes/retract";
import { retryChange } from "@/lib/changes/retry";
import { withdrawFailed } from "@/lib/changes/withdraw";
import { decisionAction } from "@/lib/edge/decision-action";

export const approve = decisionAction(ApproveInput, approveChange);
export const reject = decisionAction(RejectInput, rejectChange);
export const retract = decisionAction(RetractInput, retractApproval);
export const retry = decisionAction(RetractInput, retryChange);
export const withdraw = decisionAction(RetractInput, withdrawFailed);
