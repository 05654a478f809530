"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { useState, type ReactNode } from "react";
import { ClockProvider } from "@/components/ui/clock";
import { PreferencesProvider, type Theme } from "@/components/ui/preferences";
import { ToastProvider } from "@/components/ui/toast";
import { worthRetrying } from "@/lib/browser/queries";

type Props = { nonce: string | undefined; zone: string; now: string; theme: Theme; shortcuts: boolean; children: ReactNode };

export function Providers({ nonce, zone, now, theme, shortcuts, children }: Props) {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { networkMode: "always", retry: worthRetrying, refetchOnWindowFocus: true } } }));
  return (
    <CSPProvider nonce={nonce}>
      <QueryClientProvider client={client}>
        <NuqsAdapter>
          <ClockProvider zone={zone} now={now}>
            <PreferencesProvider initial={{ theme, shortcuts }}>
              <ToastProvider>{children}</ToastProvider>
            </PreferencesProvider>
          </ClockProvider>
        </NuqsAdapter>
      </QueryClientProvider>
    </CSPProvider>
  );
}
