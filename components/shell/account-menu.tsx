"use client";

import { useState } from "react";
import { Glyph } from "@/components/ui/glyph";
import { Menu, MenuAction, MenuChoice, MenuRule, MenuSwitch } from "@/components/ui/menu";
import { usePreferences, type Theme } from "@/components/ui/preferences";
import { ZoneNote } from "@/components/ui/time";
import { signOutHere } from "@/lib/browser/sign-in";
import { useShortcuts } from "@/lib/browser/shortcuts";
import { HelpSheet } from "./help-sheet";

const THEMES: { value: Theme; word: string }[] = [
  { value: "system", word: "As the device" },
  { value: "light", word: "Light" },
  { value: "dark", word: "Dark" },
];

export function AccountMenu({ merchant, person, role }: { merchant: string; person: string; role: string }) {
  const { theme, setTheme, shortcuts, setShortcuts } = usePreferences();
  const [help, setHelp] = useState(false);
  useShortcuts({ "?": () => setHelp(true) }, shortcuts);
  return (
    <>
      <Menu label={`${person}, ${role}: account and preferences`} trigger={<Who person={person} role={role} />}>
        <div className="px-3 py-2">
          <p className="font-semibold">{person}, {role}</p>
          <p className="text-ink-2">{merchant}</p>
          <ZoneNote className="text-xs text-ink-3" />
        </div>
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

function Who({ person, role }: { person: string; role: string }) {
  return (
    <>
      <span className="hidden one:inline"><Glyph name="person" /></span>
      <span className="one:hidden">{person}, {role}</span>
      <Glyph name="down" className="size-3.5" />
    </>
  );
}
