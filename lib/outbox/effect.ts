/** What must happen after a commit, written with it: `change.apply` when an approval takes effect, `change.expire` when its time is up. */
export type Effect = { type: "change.apply" | "change.expire"; subject: string; dueAt: Date };
