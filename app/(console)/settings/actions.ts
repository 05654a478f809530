"use server";

import { formAction } from "@/lib/edge/form-action";
import { InviteInput, inviteMember, MemberInput, renewLink, RoleInput } from "@/lib/identity/invite";
import { changeRole, removeMember } from "@/lib/identity/members";

export const invite = formAction(InviteInput, inviteMember);
export const renew = formAction(MemberInput, renewLink);
export const setRole = formAction(RoleInput, changeRole);
export const remove = formAction(MemberInput, removeMember);
