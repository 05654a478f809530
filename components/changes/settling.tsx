"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { changeQuery } from "@/lib/browser/queries";
import { useNow } from "@/components/ui/clock";
import { moneyText } from "@/components/ui/money";
import { useToast } from "@/components/ui/toast";
import { useDecisions, type Decision } from "./decisions";
import { orderNumberOf } from "./sheet/head";
import { failureWords } from "./words";

/** How long a decision that needs no watching stays in the foot, in milliseconds. */
const SHOWN = 6000;
const WATCHED: ReadonlySet<string> = new Set(["approve", "retry"]);

/** Follows each answered decision to its end: told once when it was applied or failed, then let go. */
export function Settling({ takeEffect }: { takeEffect: TakeEffect }) {
  const { all } = useDecisions();
  return all.map((decision) => <Follow key={decision.change.id} decision={decision} takeEffect={takeEffect} />);
}

/** Lets an approval whose time has come take effect; the server and the worker do the same, whoever comes first. */
export type TakeEffect = (changeId: string) => Promise<void>;
type Props = { decision: Decision; takeEffect: TakeEffect };

function Follow({ decision, takeEffect }: Props) {
  if (decision.phase !== "answered" || decision.answer.status !== "done") return null;
  const { verb, effectiveAt } = decision.answer;
  if (WATCHED.has(verb)) return <Watch decision={decision} takeEffect={takeEffect} from={effectiveAt === null ? 0 : Date.parse(effectiveAt)} />;
  return <LetGo changeId={decision.change.id} after={SHOWN} />;
}

function LetGo({ changeId, after }: { changeId: string; after: number }) {
  const { forget } = useDecisions();
  useEffect(() => {
    const timer = setTimeout(() => forget(changeId), after);
    return () => clearTimeout(timer);
  }, [changeId, after, forget]);
  return null;
}

function Watch({ decision, takeEffect, from }: Props & { from: number }) {
  const { change } = decision;
  const { forget } = useDecisions();
  const { good, bad } = useToast();
  const due = useNow(1000).getTime() >= from;
  useEffect(() => {
    if (due) takeEffect(change.id).catch(() => undefined); // the worker comes as well
  }, [due, takeEffect, change.id]);
  const { data } = useQuery({ ...changeQuery(change.id), enabled: due });
  const settled = due && data && data.revision > change.revision && data.state !== "approved" && data.state !== "applying" ? data : null;
  useEffect(() => {
    if (!settled) return;
    const order = orderNumberOf(settled);
    if (settled.state === "applied") good({ title: `${order} applied.`, text: `${moneyText(settled.amountMinor, settled.currency)} is on its way to the customer.` });
    if (settled.state === "failed") bad({ title: `${order} failed to apply.`, text: failureWords(settled) });
    forget(settled.id);
  }, [settled, good, bad, forget]);
  return null;
}
