"use client";

import { useState } from "react";
import type { PolicyView, VersionView } from "@/lib/guardrails/policy-view";
import { Block } from "@/components/ui/block";
import { Button } from "@/components/ui/button";
import { Glyph } from "@/components/ui/glyph";
import { Time } from "@/components/ui/time";
import { diffOf } from "./diff";
import { countRules, DiffList } from "./diff-list";
import type { usePolicy } from "./use-policy";

type Props = Pick<ReturnType<typeof usePolicy>, "versions" | "hasOlder" | "more" | "loadOlder"> & { view: PolicyView; onRollBack: (version: VersionView) => void };

/** Every version with who and when; each opens on what it changed. */
export function History({ view, versions, hasOlder, more, loadOlder, onRollBack }: Props) {
  // The oldest that is loaded is there for the one after it to be compared with.
  const shown = hasOlder ? versions.slice(0, -1) : versions;
  return (
    <Block title="Versions" aside="a version never changes once it is published">
      <table className="two-line w-full border-collapse">
        <thead className="text-xs text-ink-2">
          <tr>
            <th scope="col" className="w-24 py-1.5 pr-3">Version</th>
            <th scope="col" className="py-1.5 pr-3">Published</th>
            <th scope="col" className="py-1.5 pr-3">By</th>
            <th scope="col" className="py-1.5 pr-3">Against the one before</th>
            {view.mayGovern && <th scope="col" className="py-1.5"><span className="sr-only">Roll back</span></th>}
          </tr>
        </thead>
        <tbody>
          {shown.map((version, index) => (
            <VersionRow key={version.version} version={version} before={versions[index + 1]} inForce={version.version === view.inForce.version} onRollBack={view.mayGovern ? onRollBack : null} />
          ))}
        </tbody>
      </table>
      {hasOlder && (
        <p className="mt-3 flex items-center justify-center gap-3">
          <Button onClick={() => void loadOlder()} disabled={more === "loading"}>{more === "loading" ? "Loading…" : "Load older"}</Button>
          {more === "failed" && <span role="alert" className="text-failed">No answer. Nothing was loaded.</span>}
        </p>
      )}
    </Block>
  );
}

function VersionRow({ version: view, before, inForce, onRollBack }: { version: VersionView; before: VersionView | undefined; inForce: boolean; onRollBack: Props["onRollBack"] | null }) {
  const [open, setOpen] = useState(false);
  const { version, at, by, proposedBy, rules } = view;
  const differences = before ? diffOf(before.rules, rules) : [];
  return (
    <>
      <tr className="h-[var(--u-row)] border-t border-rule phone:h-auto">
        <th scope="row" className="pr-3 font-medium tabular-nums">{version}{inForce && <span className="font-normal text-applied">, in force</span>}</th>
        <td className="pr-3 whitespace-nowrap text-ink-2 phone:text-right"><Time at={at} as="dateMinute" /></td>
        <td className="pr-3 phone:col-span-2">{by}{proposedBy && <span className="text-ink-2">, proposed by {proposedBy}</span>}</td>
        <td className="pr-3">
          {before ? (
            <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} aria-label={`What version ${version} changed: ${countRules(differences)}`} className="inline-flex min-h-6 items-center gap-1 text-sign hover:text-sign-strong coarse:min-h-11">
              {countRules(differences)}<Glyph name={open ? "up" : "down"} className="size-3" />
            </button>
          ) : <span className="text-ink-2">the first</span>}
        </td>
        {onRollBack && <td className="text-right">{!inForce && <Button size="small" look="bare" aria-label={`Roll back to this, version ${version}`} onClick={() => onRollBack(view)}>Roll back to this</Button>}</td>}
      </tr>
      {open && <tr className="bg-band"><td colSpan={5} className="px-3 phone:col-span-2"><div className="max-w-2xl pb-2"><DiffList differences={differences} none="Nothing differs." /></div></td></tr>}
    </>
  );
}
