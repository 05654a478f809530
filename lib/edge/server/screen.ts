import type { IncomingMessage } from "node:http";
import { Refusal } from "../../kernel/refusal";
import type { Peer } from "./peer";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const HOST = /^[a-z0-9._-]+(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/i;

/** What only Next may say to itself, and what asks a server to take a request for another one. */
const DROPPED = /^(x-middleware-|x-invoke-|x-nextjs-|x-next-|next-resume$|x-matched-path$|x-now-route-matches$|x-nonce$|x-(http-)?method(-override)?$|x-original-|x-rewrite-|x-real-ip$|x-forwarded-|forwarded$|x-request-id$)/;

/** The largest body that reaches the application, in bytes; routes have lower limits of their own. */
export const LARGEST_BODY = 1024 * 1024;

/** Refuses what no route should see: another method, a path that does not decode, a packed or too large body. */
export function screen({ method, url = "", headers }: IncomingMessage): void {
  if (!METHODS.has(method ?? "")) throw new Refusal("method_not_allowed");
  if (!decodes(url)) throw new Refusal("malformed", { detail: "The URL is not well-formed" });
  if (!HOST.test(headers.host ?? "")) throw new Refusal("malformed", { detail: "The Host header is not well-formed" });
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") throw new Refusal("unsupported_media_type", { detail: "Send the body without Content-Encoding" });
  if (Number(headers["content-length"] ?? 0) > LARGEST_BODY) throw new Refusal("body_too_large");
}

/** Replaces what a caller said about itself by what is known, in the form in which Next and next-auth read it. */
export function vouch({ headers }: IncomingMessage, { address, host, proto }: Peer): void {
  for (const name of Object.keys(headers)) if (DROPPED.test(name)) delete headers[name];
  Object.assign(headers, { "x-forwarded-for": address, "x-forwarded-host": host, "x-forwarded-proto": proto });
}

/** Whether a request target is a path whose escapes are whole and hide no control character. */
function decodes(url: string): boolean {
  if (!url.startsWith("/") || url.startsWith("//")) return false;
  try {
    return !/[\p{Cc}\\]/u.test(decodeURIComponent(url.split("?")[0]!)) && !decodeURIComponent(url).includes("\0");
  } catch {
    return false;
  }
}
