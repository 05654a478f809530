import type { ReactNode } from "react";
import { TopBar } from "@/components/shell/top-bar";
import { requireContext } from "@/lib/edge/request-context";
import { placesOf } from "@/lib/identity/places";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const { ctx, person, merchant } = await requireContext();
  return (
    <>
      <TopBar merchant={merchant} places={await placesOf(person.id)} person={person.name} role={ctx.actor.role} />
      {children}
    </>
  );
}
