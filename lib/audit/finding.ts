/** What a verification can find (DESIGN section 7). The last three need the database. */
export const FINDING_KINDS = [
  "entry_altered", "link_broken", "seq_gap", "time_reversed", "not_canonical", "wrong_log", "content_mismatch", "text_mismatch",
  "illegal_transition", "self_approval", "quorum_not_met", "not_a_member", "over_refunded", "truncated", "root_mismatch", "signature_invalid",
  "unknown_key", "history_rewritten",
  "state_mismatch", "unlogged_write", "missing_write",
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** `place` is "entry 12", "change chg-…", "line 40" and the like; `detail` is a sentence. */
export type Finding = { kind: FindingKind; place: string; detail: string };
/** A finding before its place is told. */
export type Fault = Pick<Finding, "kind" | "detail">;
export type Report = (kind: FindingKind, place: string, detail: string) => void;

export const atEntry = (seq: number): string => `entry ${seq}`;

/** Where only entries are looked at, a place is a seq until there is something to tell of it. */
export type ReportEntry = (kind: FindingKind, seq: number, detail: string) => void;
export const ofEntries = (report: Report): ReportEntry => (kind, seq, detail) => report(kind, atEntry(seq), detail);
