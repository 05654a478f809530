import type { QueuePage, QueueRow } from "@/lib/changes/view";

/** What the list shows. Nothing in it moves by itself: what arrives waits in `arrived`, what left the view stays as `gone` until the reader asks. */
export type Queue = {
  rows: QueueRow[];
  arrived: QueueRow[];
  gone: ReadonlySet<string>;
  /** Rows that the viewer's own decisions took out, the row that stood after each, and whether the server's list has been seen without it. */
  taken: ReadonlyMap<string, { row: QueueRow; before: string | null; settled: boolean }>;
  nextCursor: string | null;
};

export type QueueEvent =
  | { type: "polled"; page: QueuePage }
  | { type: "continued"; page: QueuePage }
  | { type: "revealed" }
  | { type: "taken"; id: string }
  | { type: "returned"; id: string };

export const openQueue = (page: QueuePage): Queue => ({ rows: page.items, arrived: [], gone: new Set(), taken: new Map(), nextCursor: page.nextCursor });

export function queueReducer(queue: Queue, event: QueueEvent): Queue {
  switch (event.type) {
    case "polled": return polled(queue, event.page);
    case "continued": return continued(queue, event.page);
    case "revealed": return revealed(queue);
    case "taken": return taken(queue, event.id);
    case "returned": return returned(queue, event.id);
  }
}

/** A fresh head of the view: rows are renewed where they stand. */
function polled(queue: Queue, page: QueuePage): Queue {
  const fresh = new Map(page.items.map((row) => [row.id, row]));
  const rows = sameOr(queue.rows, queue.rows.map((row) => fresh.get(row.id) ?? row));
  const shown = new Set(rows.map((row) => row.id));
  // The head speaks for everything as new as its last row, and for the whole view where nothing follows it.
  const spoken = page.nextCursor === null ? "" : (page.items.at(-1)?.stagedAt ?? "");
  const gone = new Set(rows.filter((row) => !fresh.has(row.id) && (row.stagedAt > spoken || queue.gone.has(row.id))).map((row) => row.id));
  const taken = new Map([...queue.taken].map(([id, place]) => [id, { ...place, settled: place.settled || !fresh.has(id) }]));
  // A taken row that comes back after the server had let it go arrives like any other.
  const unseen = page.items.filter((row) => !shown.has(row.id) && (queue.taken.get(row.id)?.settled ?? true));
  if (rows.length === 0) {
    // Decided to its end while older rows wait: they come up, and are not announced as new.
    const below = queue.nextCursor !== null;
    return { ...queue, rows: below ? unseen : rows, gone: new Set(), arrived: below ? [] : unseen, taken, nextCursor: page.nextCursor };
  }
  const oldest = page.nextCursor === null ? "" : rows.at(-1)!.stagedAt;
  return { ...queue, rows, gone: sameSetOr(queue.gone, gone), arrived: unseen.filter((row) => row.stagedAt > oldest), taken };
}

/** What has not changed stays the same object, so that a long list is not drawn again for nothing. */
const sameOr = (before: QueueRow[], after: QueueRow[]): QueueRow[] => (after.every((row, index) => row === before[index]) ? before : after);
const sameSetOr = (before: ReadonlySet<string>, after: ReadonlySet<string>): ReadonlySet<string> =>
  before.size === after.size && [...after].every((id) => before.has(id)) ? before : after;

function continued(queue: Queue, page: QueuePage): Queue {
  const known = new Set([...queue.rows, ...queue.arrived].map((row) => row.id));
  return { ...queue, rows: [...queue.rows, ...page.items.filter((row) => !known.has(row.id) && !queue.taken.has(row.id))], nextCursor: page.nextCursor };
}

/** The reader asked: what arrived goes on top, what left is let go. */
function revealed(queue: Queue): Queue {
  const arrived = new Set(queue.arrived.map((row) => row.id));
  return {
    ...queue,
    rows: [...queue.arrived, ...queue.rows.filter((row) => !queue.gone.has(row.id))],
    arrived: [],
    gone: new Set(),
    taken: new Map([...queue.taken].filter(([id]) => !arrived.has(id))),
  };
}

function taken(queue: Queue, id: string): Queue {
  const index = queue.rows.findIndex((row) => row.id === id);
  const row = queue.rows[index];
  if (!row) return queue;
  const before = queue.rows[index + 1]?.id ?? null;
  return { ...queue, rows: queue.rows.toSpliced(index, 1), taken: new Map(queue.taken).set(id, { row, before, settled: false }) };
}

/** Back where it was. */
function returned(queue: Queue, id: string): Queue {
  const place = queue.taken.get(id);
  if (!place) return queue;
  const remaining = new Map(queue.taken);
  remaining.delete(id);
  if (queue.rows.some((row) => row.id === id)) return { ...queue, taken: remaining };
  const index = place.before === null ? -1 : queue.rows.findIndex((row) => row.id === place.before);
  return { ...queue, taken: remaining, rows: queue.rows.toSpliced(index < 0 ? queue.rows.length : index, 0, place.row), arrived: queue.arrived.filter((row) => row.id !== id) };
}

/** The row that follows `id`, also once the viewer's own decision took it out of the list; null at the end. */
export function following(queue: Queue, id: string | null): QueueRow | null {
  const place = id === null ? undefined : queue.taken.get(id);
  if (!place) return neighbour(queue.rows, queue.gone, id, 1);
  const row = queue.rows.find((each) => each.id === place.before);
  return !row || queue.gone.has(row.id) ? neighbour(queue.rows, queue.gone, row?.id ?? null, 1) : row;
}

/** The row that opens after `id` is decided or stepped from; null at the end. */
export function neighbour(rows: readonly QueueRow[], gone: ReadonlySet<string>, id: string | null, step: 1 | -1): QueueRow | null {
  const from = rows.findIndex((row) => row.id === id);
  if (from < 0) return rows.find((row) => !gone.has(row.id)) ?? null;
  for (let index = from + step; index >= 0 && index < rows.length; index += step) {
    const row = rows[index];
    if (row && !gone.has(row.id)) return row;
  }
  return null;
}
