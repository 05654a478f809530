"use server";

import { formAction } from "@/lib/edge/form-action";
import { createAgent, revokeKey } from "@/lib/identity/agents";
import { AgentInput, createKeyForDays, KeyInput, NewKeyInput, RotateInput, rotateKeyForDays } from "@/lib/identity/key-forms";

export const create = formAction(AgentInput, createAgent);
export const makeKey = formAction(NewKeyInput, createKeyForDays);
export const rotate = formAction(RotateInput, rotateKeyForDays);
export const revoke = formAction(KeyInput, revokeKey);
