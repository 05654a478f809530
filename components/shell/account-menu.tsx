"use client";

import { useState } from "react";
import type { Place } from "@/lib/identity/places";
import { Glyph } from "@/components/ui/glyph";
import { Menu, MenuAction, MenuChoice, MenuRule, MenuSwitch } from "@/components/ui/menu";
import { usePreferences, type Theme } from "@/components/ui/preferences";
import { ZoneNote } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { signOutHere } from "@/lib/browser/sign-in";
import { putJson } from "@/lib/browser/problem";
import { useShortcuts } from "@/lib/browser/shortcuts";
import { HelpSheet } from "./help-sheet";

const THEMES: { value: Theme; word: string }[] = [
  { value: "system", word: "As the device" },
  { value: "light", word: "Light" },
  { value: "dark", word: "Dark" },
];

type Props = { merchant: Place; /** Where this person may go, here included. */ places: readonly Place[]; person: string; role: string };

export function AccountMenu({ merchant, places, person, role }: Props) {
  const { theme, setTheme, shortcuts, setShortcuts } = usePreferences();
  const [help, setHelp] = useState(false);
  useShortcuts({ "?": () => setHelp(true) }, shortcuts);
  return (
    <>
      <Menu label={`${person}, ${role}: account and preferences`} trigger={<Who person={person} role={role} />}>
        <div className="px-3 py-2">
          <p className="font-semibold">{person}, {role}</p>
          <p className="text-ink-2">{merchant.name}</p>
          <ZoneNote className="text-xs text-ink-3" />
        </div>
        {places.length > 1 && <MerchantChoice merchant={merchant} places={places} />}
        <MenuRule />
        <MenuChoice label="Paper" value={theme} options={THEMES} onChange={setTheme} />
        <MenuRule />
        <MenuSwitch checked={shortcuts} onChange={setShortcuts}>Single-key shortcuts</MenuSwitch>
        <MenuAction onSelect={() => setHelp(true)}>Keys…</MenuAction>
        <MenuRule />
        <MenuAction onSelect={() => void signOutHere()}>Sign out</MenuAction>
      </Menu>
      <HelpSheet open={help} onOpenChange={setHelp} />
    </>
  );
}

/** A full load: what this merchant's pages left in memory must not be shown as the other's. */
function MerchantChoice({ merchant, places }: Pick<Props, "merchant" | "places">) {
  const { bad } = useToast();
  const go = (merchantId: string) =>
    void putJson("/api/console/merchant", { merchantId }).then(() => location.assign("/changes"), (error: Error) => bad({ title: "Not changed", text: error.message }));
  return (
    <>
      <MenuRule />
      <MenuChoice label="Shop" value={merchant.id} options={places.map(({ id, name }) => ({ value: id, word: name }))} onChange={go} />
    </>
  );
}

function Who({ person, role }: { person: string; role: string }) {
  return (
    <>
      <span className="hidden one:inline"><Glyph name="person" /></span>
      <span className="one:hidden">{person}, {role}</span>
      <Glyph name="down" className="size-3.5" />
    </>
  );
}
