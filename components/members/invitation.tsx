"use client";

import type { Invitation } from "@/lib/identity/invite";
import { ShownOnce } from "@/components/forms/shown-once";
import { Time } from "@/components/ui/time";

/** What to hand to a new member, or to one who lost the way in. */
export function ShownInvitation({ invitation: { name, link } }: { invitation: Invitation }) {
  if (!link) return <p>{name} signs in elsewhere with a password of their own, and finds this shop in the menu under their name. No link is needed.</p>;
  return (
    <ShownOnce label={`Sign-in link for ${name}`} text={link.url}>
      Give it to {name} yourself. It works once, until <Time at={link.expiresAt} as="dateMinute" />, and asks for a new password.
    </ShownOnce>
  );
}
