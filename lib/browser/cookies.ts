const YEAR = 60 * 60 * 24 * 365;

/** Keeps a preference for a year. Never for anything secret: scripts can read it. */
export function keepCookie(name: "theme" | "shortcuts" | "tz", value: string): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API is not in every browser we support
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${YEAR}; SameSite=Lax${secure}`;
}
