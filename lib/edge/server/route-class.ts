/** First segments of what can be asked for; anything else is `other`, so that nobody makes new labels by asking. */
const PAGES = new Set(["", "sign-in", "verify", "welcome", "changes", "orders", "history", "audit", "insights", "policy", "agents", "settings"]);
const API = /^\/api\/(?:v1\/(sessions|orders|listings|campaigns|policy|changes|drafts|events|log|openapi\.json)|(console|auth|health|ready|metrics|mcp))(?:\/|$)/;

/** The class of a path, for counting: `page:changes`, `agent:orders`, `api:health`, `static`, `other`. */
export function routeClass(path: string): string {
  const [, agent, ours] = API.exec(path) ?? [];
  if (agent) return `agent:${agent}`;
  if (ours) return `api:${ours}`;
  if (path.startsWith("/_next/")) return "static";
  const page = path.split("/")[1] ?? "";
  return PAGES.has(page) ? `page:${page || "home"}` : "other";
}

/** A path for the log: its plain words stay, ids, tokens and whatever else a caller may put there become `:x`. */
export const routeShape = (path: string): string =>
  path.split("/").slice(0, 10).map((segment) => (/^[a-z][a-z.-]{0,15}$|^(|v1)$/.test(segment) ? segment : ":x")).join("/");
