"use client";

import { usePathname } from "next/navigation";
import { useCallback, useEffect, useState } from "react";
import type { ViewName } from "@/lib/changes/view";
import { changeOf, changePath } from "./paths";

type Opened = { /** The change on the sheet. */ selected: string | null; /** Its address is open, not only the queue's. */ open: boolean };

/**
 * Which change is open. The address follows without a request to the server; the state is our own, since the router's
 * waits for a decision that is on its way, and the next change must not.
 */
export function useOpened(view: ViewName, first: string | null) {
  const path = usePathname();
  const [opened, setOpened] = useState<Opened>({ selected: changeOf(path) ?? first, open: changeOf(path) !== null });

  useEffect(() => {
    const id = changeOf(window.location.pathname);
    setOpened((before) => ({ selected: id ?? before.selected, open: id !== null }));
  }, [path]);

  const open = useCallback(
    (id: string, how: "push" | "replace") => {
      setOpened({ selected: id, open: true });
      const address = changePath(id, view);
      if (how === "push") window.history.pushState(null, "", address);
      else window.history.replaceState(null, "", address);
    },
    [view],
  );

  return { ...opened, openChange: open };
}
