import type { Verdict } from "../kernel/verdict";
import type { Content } from "./content";
import type { ChangeState } from "./lifecycle";

/** A change as the API shows it (DESIGN section 8). */
export type ChangeShape = {
  id: string; kind: "refund"; state: ChangeState; revision: number; digest: string; content: Content | null;
  required: number; approvals: { person: string; at: string }[]; verdict: Verdict; createdAt: string; expiresAt: string;
};
