import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import { GeistSerifRegular } from "geist/font/serif/regular";
import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { Providers } from "@/components/shell/providers";
import { knownZone } from "@/lib/browser/times";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Undersigned", template: "%s, Undersigned" },
  description: "The approval ledger for commerce agents",
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#e6ebe3" },
    { media: "(prefers-color-scheme: dark)", color: "#0e1312" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [sent, jar] = await Promise.all([headers(), cookies()]);
  const kept = jar.get("theme")?.value;
  const theme = kept === "light" || kept === "dark" ? kept : "system";
  return (
    <html lang="en-GB" data-theme={theme === "system" ? undefined : theme} className={`${GeistSans.variable} ${GeistMono.variable} ${GeistSerifRegular.variable}`}>
      <body>
        <Providers
          nonce={sent.get("x-nonce") ?? undefined}
          zone={knownZone(jar.get("tz")?.value)}
          now={new Date().toISOString()}
          theme={theme}
          shortcuts={jar.get("shortcuts")?.value !== "off"}
        >
          {children}
        </Providers>
      </body>
    </html>
  );
}
