"use client";

import { useRef, useState } from "react";
import type { PolicyRules, PublishedRules } from "@/lib/guardrails/schema";
import type { PolicyView, VersionView } from "@/lib/guardrails/policy-view";
import { Button } from "@/components/ui/button";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import type { PolicyActions } from "./actions";
import { Currencies } from "./currencies";
import { candidateOf, readRules } from "./draft";
import { DraftPanel } from "./draft-panel";
import { History } from "./history";
import { JsonView, jsonOf } from "./json-view";
import { Proposal } from "./proposal";
import { RuleRows } from "./rule-rows";
import { TryIt } from "./try-it";
import { useDraft } from "./use-draft";
import { usePolicy } from "./use-policy";

/** The merchant's own rules: read, drafted, tried on the past, published, rolled back. */
export function PolicySheet({ initial, actions }: { initial: PolicyView; actions: PolicyActions }) {
  const { view, refresh, stale, ...history } = usePolicy(initial);
  const { inForce, proposal, mayGovern } = view;
  const held = useDraft(inForce);
  const [tried, setTried] = useState<{ rules: PolicyRules; what: string; nth: number } | null>(null);
  const top = useRef<HTMLHeadingElement>(null);
  const { good } = useToast();

  const tryOn = (rules: PublishedRules | null, what: string) => {
    const read = readRules(rules);
    if (read.rules) setTried((was) => ({ rules: read.rules!, what, nth: (was?.nth ?? 0) + 1 }));
  };
  const published = (version: number | null) => {
    held.discard();
    setTried(null);
    good(version === null ? { title: "The policy waits for another admin" } : { title: `Version ${version} is in force` });
    void refresh();
  };
  const rollBack = ({ version, rules }: VersionView) => {
    held.rollBack(version, rules);
    top.current?.focus();
  };
  const json = held.raw;

  return (
    <main id="content" className="min-h-[calc(100dvh-var(--u-bar))] bg-sheet px-6 pt-4 pb-8 one:px-4">
      <header className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h1 ref={top} tabIndex={-1} className="text-xl font-semibold tracking-[-0.01em] outline-none">Policy</h1>
          <p className="text-ink-2">Version {inForce.version}, in force since <Time at={inForce.at} as="dateMinute" />, published by {inForce.by}{inForce.proposedBy ? `, proposed by ${inForce.proposedBy}` : ""}</p>
        </div>
        {json === null
          ? <Button onClick={() => held.editJson(jsonOf(candidateOf(held.draft)))}>As JSON</Button>
          : <Button onClick={held.leaveJson} disabled={held.read.rules === null} title={held.read.rules === null ? "What does not fit yet would be lost" : undefined}>As a form</Button>}
      </header>
      {!mayGovern && <p className="mt-2 text-ink-2">You can read all of it and try the draft on the past. Only an admin edits and publishes.</p>}
      {stale && <p role="status" className="mt-2 text-mark">No answer from the server. This page is not live.</p>}
      {proposal && <Proposal view={view} proposal={proposal} actions={actions} onTry={() => tryOn(proposal.rules, `The proposal of ${proposal.by}`)} onConfirmed={published} onEnded={() => void refresh()} />}
      {tried && <TryIt key={tried.nth} rules={tried.rules} what={tried.what} onClose={() => setTried(null)} />}
      <div className="mt-2 grid grid-cols-[minmax(0,1fr)_23rem] items-start gap-8 mid:grid-cols-1 mid:gap-4">
        <div className="min-w-0">
          {json === null ? (
            <>
              <Currencies draft={held.draft} edit={mayGovern ? held.edit : null} />
              <RuleRows draft={held.draft} errors={held.read.errors} changed={new Set(held.differences.map(({ rule }) => rule))} edit={mayGovern ? held.edit : null} />
            </>
          ) : <JsonView text={json} errors={held.read.errors} onText={mayGovern ? held.editJson : null} />}
        </div>
        <aside aria-label="The draft" className="sticky top-4 mid:static"><DraftPanel view={view} held={held} publish={actions.publish} onTry={() => tryOn(held.read.rules, held.differences.length > 0 ? "The draft" : `Version ${inForce.version}`)} onPublished={published} /></aside>
      </div>
      <History view={view} {...history} onRollBack={rollBack} />
    </main>
  );
}
