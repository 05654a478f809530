/** Where a change is (DESIGN section 4). */
export const CHANGE_STATES = ["staged", "approved", "applying", "applied", "failed", "rejected", "withdrawn", "expired"] as const;
export type ChangeState = (typeof CHANGE_STATES)[number];

/** Verb → states it leaves, state it reaches, entry it writes. The database holds the same table (I3). */
export const LIFECYCLE = {
  endorse: { from: ["staged"], to: "staged", entry: "change.endorsed" },
  approve: { from: ["staged"], to: "approved", entry: "change.approved" },
  schedule: { from: ["approved"], to: "approved", entry: "change.scheduled" },
  retract: { from: ["approved"], to: "staged", entry: "change.retracted" },
  reject: { from: ["staged", "approved"], to: "rejected", entry: "change.rejected" },
  withdraw: { from: ["staged", "approved", "failed"], to: "withdrawn", entry: "change.withdrawn" },
  expire: { from: ["staged", "approved"], to: "expired", entry: "change.expired" },
  beginApply: { from: ["approved", "failed"], to: "applying", entry: "change.applying" },
  finishApply: { from: ["applying"], to: "applied", entry: "change.applied" },
  failApply: { from: ["approved", "applying"], to: "failed", entry: "change.failed" },
} as const satisfies Record<string, { from: readonly ChangeState[]; to: ChangeState; entry: `change.${string}` }>;

export type Verb = keyof typeof LIFECYCLE;

export const canAdvance = (state: ChangeState, verb: Verb): boolean =>
  (LIFECYCLE[verb].from as readonly ChangeState[]).includes(state);
