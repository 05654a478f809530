"use client";

import { useEffect } from "react";
import { formatTime } from "@/lib/browser/times";
import type { LinkView } from "@/lib/identity/queries";
import { useZone } from "@/components/ui/clock";
import { useToast } from "@/components/ui/toast";

const TOLD = "undersigned.link-told";

/** Tells a person, once in each browser, that a one-time link set their password and who had that link in hand. */
export function LinkUsed({ link: { by, usedAt } }: { link: LinkView }) {
  const { good } = useToast();
  const zone = useZone();
  useEffect(() => {
    if (!usedAt || localStorage.getItem(TOLD) === usedAt) return;
    localStorage.setItem(TOLD, usedAt);
    good({ title: "A one-time link set your password", text: `Made by ${by}, used ${formatTime(new Date(usedAt), zone, "full")}. If that was not you, tell another admin.`, stays: true });
  }, [by, usedAt, zone, good]);
  return null;
}
