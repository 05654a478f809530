"use client";

import { Toast } from "@base-ui/react/toast";
import { useMemo, type ReactNode } from "react";
import { Glyph } from "./glyph";

type Telling = { title: string; text?: string; /** Until it is closed. */ stays?: boolean };

/** Tells of what happened elsewhere. What went wrong stays until it is closed. */
export function useToast(): { good: (telling: Telling) => void; bad: (telling: Telling) => void } {
  const { add } = Toast.useToastManager();
  return useMemo(
    () => ({
      good: ({ title, text, stays }) => void add({ title, description: text, type: "good", ...(stays && { timeout: 0 }) }),
      bad: ({ title, text }) => void add({ title, description: text, type: "bad", timeout: 0, priority: "high" }),
    }),
    [add],
  );
}

export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider timeout={6000} limit={3}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed bottom-20 left-4 z-30 flex w-[20.5rem] max-w-[calc(100vw-2rem)] flex-col gap-2 phone:bottom-40">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Toasts() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => {
    const bad = toast.type === "bad";
    return (
      <Toast.Root
        key={toast.id}
        toast={toast}
        role="group"
        swipeDirection={[]}
        className={`flex items-start gap-2.5 border-l-4 bg-sheet px-3.5 py-2.5 shadow-lift sheet-in data-limited:hidden ${bad ? "border-failed" : "border-applied"}`}
      >
        <span className={bad ? "text-failed" : "text-applied"}><Glyph name={bad ? "warning" : "applied"} /></span>
        <div className="min-w-0 flex-1">
          <Toast.Title className="font-semibold" render={<p />} />
          <Toast.Description className="text-ink-2" />
        </div>
        <Toast.Close aria-label="Close" className="-m-1 grid size-6 flex-none place-items-center text-ink-2 hover:text-ink"><Glyph name="cross" className="size-3.5" /></Toast.Close>
      </Toast.Root>
    );
  });
}
