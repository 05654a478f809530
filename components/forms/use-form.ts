"use client";

import { startTransition, useActionState, type FormEvent } from "react";
import type { FormState, Refused } from "@/lib/edge/form-state";

export type FormAction<R> = (previous: FormState<R>, form: FormData) => Promise<FormState<R>>;

const unanswered = (): Refused => ({ status: "refused", code: "unavailable", message: "No answer from the server", fields: {}, moved: [] });

/** A form that keeps what was typed when it is refused, and tells what was done. `state` is of the last answer. */
export function useForm<R>(action: FormAction<R>, onDone: (result: R) => void) {
  const [state, send, busy] = useActionState<FormState<R>, FormData>(
    async (before, form) => {
      const answer = await action(before, form).catch((error: unknown) => {
        if (error instanceof TypeError) return unanswered(); // what fetch throws where nothing came back
        throw error;
      });
      if (answer.status === "done") onDone(answer.result);
      return answer;
    },
    { status: "idle" },
  );
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    startTransition(() => send(form));
  };
  const refused = state.status === "refused" && !busy ? state : null;
  return { busy, refused, errorOf: (name: string) => refused?.fields[name]?.[0], form: { action: send, onSubmit, noValidate: true } };
}
