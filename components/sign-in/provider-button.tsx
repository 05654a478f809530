"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { safeCallback, signInElsewhere } from "@/lib/browser/sign-in";

/** The other way in: by the identity provider of this installation. */
export function ProviderButton({ provider, callbackUrl }: { provider: string; callbackUrl: string | undefined }) {
  const [leaving, setLeaving] = useState(false);
  const leave = async () => {
    setLeaving(true);
    if (!(await signInElsewhere(safeCallback(callbackUrl)))) setLeaving(false);
  };
  return (
    <div className="grid gap-4 border-t border-rule pt-4">
      <Button size="tall" aria-busy={leaving} disabled={leaving} onClick={() => void leave()}>{leaving ? "Going there…" : `Continue with ${provider}`}</Button>
    </div>
  );
}
