import type { ReactNode } from "react";
import { LinkUsed } from "@/components/shell/link-used";
import { Banner, Switch } from "@/components/shell/standing";
import { TopBar } from "@/components/shell/top-bar";
import { requireContext } from "@/lib/edge/request-context";
import { readStanding } from "@/lib/guardrails/standing";
import { placesOf } from "@/lib/identity/places";
import { lastLinkUse } from "@/lib/identity/queries";
import { pause, resume } from "./actions";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const { ctx, person, merchant } = await requireContext();
  const [places, link, standing] = await Promise.all([placesOf(person.id), lastLinkUse(ctx), readStanding(ctx)]);
  return (
    <>
      <TopBar merchant={merchant} places={places} person={person.name} role={ctx.actor.role}><Switch initial={standing} pause={pause} /></TopBar>
      <Banner initial={standing} resume={resume} />
      {link && <LinkUsed link={link} />}
      {children}
    </>
  );
}
