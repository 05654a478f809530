import type { RefusalCode } from "../kernel/refusal";

export type Refused = {
  status: "refused";
  code: RefusalCode;
  message: string;
  /** By field: what is wrong with it. */
  fields: Record<string, string[]>;
  /** Old and new figures where something moved. */
  moved: { label: string; was: string; now: string }[];
  /** Of a fault: its request's id, under which it is logged. Then it is not known whether anything was written. */
  reference?: string;
};

/** What a form's server action answers. What was typed is not sent back: it may be a secret. */
export type FormState<R> = { status: "idle" } | { status: "done"; result: R } | Refused;
