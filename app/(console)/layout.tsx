import type { ReactNode } from "react";
import { LinkUsed } from "@/components/shell/link-used";
import { TopBar } from "@/components/shell/top-bar";
import { requireContext } from "@/lib/edge/request-context";
import { placesOf } from "@/lib/identity/places";
import { lastLinkUse } from "@/lib/identity/queries";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const { ctx, person, merchant } = await requireContext();
  const [places, link] = await Promise.all([placesOf(person.id), lastLinkUse(ctx)]);
  return (
    <>
      <TopBar merchant={merchant} places={places} person={person.name} role={ctx.actor.role} />
      {link && <LinkUsed link={link} />}
      {children}
    </>
  );
}
