"use client";

import { useRef, useState } from "react";
import { exportPath } from "@/lib/browser/queries";
import { saveStream } from "@/lib/browser/save-stream";
import { Button } from "@/components/ui/button";
import type { Filters } from "../filters/filters";

type Running = { format: string; rows: number };

/** Saves what the filters show, row by row, and says how far it is. */
export function HistoryExport({ filters, count }: { filters: Filters; count: number | undefined }) {
  const [running, setRunning] = useState<Running | null>(null);
  const [said, setSaid] = useState("");
  const stop = useRef<AbortController | null>(null);
  const save = async (format: "csv" | "json") => {
    stop.current = new AbortController();
    setSaid("");
    setRunning({ format, rows: 0 });
    try {
      const rows = await saveStream(exportPath(filters, format), `history.${format}`, stop.current.signal, (lines) => setRunning({ format, rows: Math.max(0, lines - 1) }));
      setSaid(`Saved as ${format.toUpperCase()}, ${Math.max(0, rows - (format === "csv" ? 1 : 2)).toLocaleString("en-GB")} rows.`);
    } catch {
      setSaid(stop.current.signal.aborted ? "Stopped. Nothing was saved." : "No answer. Nothing was saved.");
    }
    setRunning(null);
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span role="status" className="text-ink-2">{said}</span>
      {running ? (
        <>
          <label className="text-ink-2">{running.rows.toLocaleString("en-GB")}{count === undefined ? "" : ` of ${count.toLocaleString("en-GB")}`}{" "}
            <progress aria-label="Rows saved" value={running.rows} max={Math.max(1, count ?? running.rows)} className="ml-1 align-middle accent-sign" />
          </label>
          <Button size="small" onClick={() => stop.current?.abort()}>Stop</Button>
        </>
      ) : (
        <>
          <Button size="small" disabled={count === 0} onClick={() => void save("csv")}>Save as CSV</Button>
          <Button size="small" disabled={count === 0} onClick={() => void save("json")}>Save as JSON</Button>
        </>
      )}
    </div>
  );
}
