import type { Verdict, Violation } from "./verdict";

/** One table is the union of codes, the HTTP status and the words a person or an agent reads. `docs/api.md` lists them all. */
export const REFUSALS = {
  unauthenticated: { status: 401, title: "Sign in or send a valid key" },
  rate_limited: { status: 429, title: "Too many requests" },
  request_timeout: { status: 408, title: "The request took too long to arrive; send it again" },
  body_too_large: { status: 413, title: "The body is over 256 KiB" },
  unsupported_media_type: { status: 415, title: "Send application/json" },
  malformed: { status: 400, title: "Not one well-formed JSON document" },
  scope_missing: { status: 403, title: "The key lacks the scope for this" },
  forbidden: { status: 403, title: "You do not have permission to do this" },
  idempotency_key_missing: { status: 400, title: "Send an Idempotency-Key" },
  idempotency_mismatch: { status: 422, title: "This Idempotency-Key was used for another request" },
  idempotency_in_progress: { status: 409, title: "A request with this Idempotency-Key is in flight" },
  session_required: { status: 400, title: "Send Undersigned-Session" },
  session_not_found: { status: 404, title: "No such session" },
  session_busy: { status: 409, title: "Another write of this session is in flight" },
  invalid_input: { status: 422, title: "The input does not fit" },
  not_in_session: { status: 403, title: "This id was not read in this session" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "This method is not allowed here" },
  guardrail_violation: { status: 422, title: "A guardrail refuses this" },
  currency_mismatch: { status: 422, title: "The currency is not the payment's" },
  self_approval: { status: 403, title: "Someone else must approve this change" },
  already_endorsed: { status: 409, title: "You have approved this already; another person must too" },
  needs_another_admin: { status: 409, title: "Another admin must do this" },
  policy_moved: { status: 409, title: "The policy moved while you were looking at it" },
  proposal_open: { status: 409, title: "Another proposal of the policy waits; confirm or decline it first" },
  already_paused: { status: 409, title: "Paused already" },
  not_paused: { status: 409, title: "Not paused" },
  last_admin: { status: 409, title: "A merchant keeps at least one admin" },
  too_many_tries: { status: 429, title: "Too many tries; wait a minute" },
  change_moved: { status: 409, title: "This change moved while you were looking at it" },
  facts_moved: { status: 409, title: "The figures moved while you were looking at them" },
  exceeds_refundable: { status: 409, title: "This is more than remains to be refunded" },
  quorum_not_met: { status: 409, title: "Today's rules ask for more approvals" },
  too_late_to_retract: { status: 409, title: "The approval has taken effect" },
  not_your_approval: { status: 409, title: "Only an approver can take back their approval" },
  not_approved: { status: 409, title: "This change is not approved" },
  too_late_to_schedule: { status: 409, title: "The approval has taken effect" },
  not_failed: { status: 409, title: "This change has not failed" },
  change_already_approved: { status: 409, title: "Already approved" },
  change_already_applying: { status: 409, title: "Already being applied" },
  change_already_applied: { status: 409, title: "Already applied" },
  change_already_failed: { status: 409, title: "Applying this change failed" },
  change_already_rejected: { status: 409, title: "Already rejected" },
  change_already_withdrawn: { status: 409, title: "Withdrawn already" },
  change_already_expired: { status: 409, title: "This change expired" },
  unavailable: { status: 503, title: "Nothing was written; try again" },
} as const satisfies Record<string, { status: number; title: string }>;

export type RefusalCode = keyof typeof REFUSALS;

/** What a guardrail refused, as it was judged. Amounts in minor units; `capturedMinor` of the payment. */
export type RefusedProposal = { by: "agent" | "person"; orderId: string; currency: string; amountMinor: bigint; capturedMinor: bigint; verdict: Verdict };

export type RefusalDetail = {
  /** A sentence for this case; the code's title stands in where it is absent. */
  detail?: string;
  fields?: Record<string, string[]>;
  violations?: Violation[];
  /** Kept with the trace; never told. */
  proposal?: RefusedProposal;
  /** Old and new figures where something moved. */
  moved?: { label: string; was: string; now: string }[];
  /** Seconds, for Retry-After. */
  retryAfter?: number;
};

/** An expected "no", by cause. */
export class Refusal extends Error {
  /** Set once its entry is in the log, so that no outer layer writes a second one. */
  traced = false;

  constructor(readonly code: RefusalCode, readonly more: RefusalDetail = {}) {
    super(more.detail ?? REFUSALS[code].title);
    this.name = "Refusal";
  }
}
