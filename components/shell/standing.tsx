"use client";

import { useQuery } from "@tanstack/react-query";
import type { StandingView } from "@/lib/guardrails/standing";
import type { FormAction } from "@/components/forms/use-form";
import { PauseBanner } from "@/components/pause/pause-banner";
import { PauseSwitch } from "@/components/pause/pause-switch";
import { standingQuery } from "@/lib/browser/queries";

type Props = { initial: StandingView; pause: FormAction<void>; resume: FormAction<void> };

/** What the server said last; until it is asked again, what came with the page. */
const useStanding = (initial: StandingView): StandingView => useQuery({ ...standingQuery(), initialData: initial }).data;

export function Switch({ initial, pause }: Omit<Props, "resume">) {
  const { pause: thrown, mayGovern } = useStanding(initial);
  return mayGovern && !thrown ? <PauseSwitch pause={pause} /> : null;
}

export function Banner({ initial, resume }: Omit<Props, "pause">) {
  const { pause: thrown, mayGovern } = useStanding(initial);
  return <div role="status">{thrown && <PauseBanner pause={thrown} mayGovern={mayGovern} resume={resume} />}</div>;
}
