"use server";

import { takeEffectNow } from "@/lib/changes/apply";
import { ApproveInput, approveChange } from "@/lib/changes/approve";
import { RejectInput, rejectChange } from "@/lib/changes/reject";
import { RetractInput, retractApproval } from "@/lib/changes/retract";
import { retryChange } from "@/lib/changes/retry";
import { TrimInput, trimChange } from "@/lib/changes/trim";
import { withdrawFailed } from "@/lib/changes/withdraw";
import { ScheduleInput, scheduleChange } from "@/lib/changes/schedule";
import { decisionAction } from "@/lib/edge/decision-action";
import { quietAction } from "@/lib/edge/form-action";

export const approve = decisionAction(ApproveInput, approveChange);
export const trim = decisionAction(TrimInput, trimChange);
export const reject = decisionAction(RejectInput, rejectChange);
export const schedule = decisionAction(ScheduleInput, scheduleChange);
export const retract = decisionAction(RetractInput, retractApproval);
export const retry = decisionAction(RetractInput, retryChange);
export const withdraw = decisionAction(RetractInput, withdrawFailed);

/** The countdown on the page is over. Where this fails the worker does it. */
export const takeEffect = quietAction(async (caller, changeId: string) => takeEffectNow(caller.ctx, changeId));
