import type { ReactNode } from "react";
import { DecisionsProvider } from "@/components/changes/decisions";
import { Settling } from "@/components/changes/settling";
import { approve, reject, retract, retry, schedule, takeEffect, trim, withdraw } from "./actions";

/** What is being decided outlives the change and the view that are on screen. */
export default function ChangesLayout({ children }: { children: ReactNode }) {
  return (
    <DecisionsProvider actions={{ approve, schedule, reject, retract, retry, trim, withdraw }}>
      <Settling takeEffect={takeEffect} />
      {children}
    </DecisionsProvider>
  );
}
