"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode, RefObject } from "react";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  initialFocus?: RefObject<HTMLElement | null>;
  /** Closed by its own button alone: what it shows is not shown again. */
  stays?: boolean;
  children: ReactNode;
};

/** A sheet on a sheet; on a phone it comes up from below. */
export function Dialog({ open, onOpenChange, title, initialFocus, stays = false, children }: Props) {
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, details) => {
        if (stays && (details.reason === "escape-key" || details.reason === "outside-press")) details.cancel();
        else onOpenChange(next);
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-(--u-scrim) transition-opacity duration-[var(--u-move)] data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          initialFocus={initialFocus}
          className="fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[30rem] max-w-[calc(100vw-2rem)] -translate-1/2 overflow-auto rounded-1 bg-sheet px-5 pt-4 pb-5 shadow-lift outline-none transition duration-[var(--u-move)] data-ending-style:opacity-0 data-starting-style:opacity-0 phone:inset-x-0 phone:top-auto phone:bottom-0 phone:w-full phone:max-w-none phone:translate-0"
        >
          <Base.Title className="mb-2 text-lg font-semibold">{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
