"use server";

import { z } from "zod";
import { formAction } from "@/lib/edge/form-action";
import { PauseInput, pauseMerchant, resumeMerchant } from "@/lib/guardrails/pause";

export const pause = formAction(PauseInput, pauseMerchant);
export const resume = formAction(z.strictObject({}), resumeMerchant);
