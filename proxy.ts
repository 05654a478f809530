import { NextResponse, type NextRequest } from "next/server";

const PUBLIC = ["/sign-in", "/verify", "/welcome"];
const COOKIES = ["next-auth.session-token", "__Secure-next-auth.session-token"];

/**
 * Gives every page its content security policy, and sends who has no cookie at all to the sign-in page.
 * It authorises nothing: a cookie is believed only by the handler or the action that reads the sign-in behind it.
 */
export function proxy(request: NextRequest): NextResponse {
  const { pathname, search } = request.nextUrl;
  if (!isPublic(pathname) && !hasCookie(request)) {
    // Never built from Host, which the caller chooses.
    const signIn = new URL("/sign-in", process.env.UNDERSIGNED_URL ?? request.url);
    if (pathname !== "/") signIn.searchParams.set("callbackUrl", pathname + search);
    return NextResponse.redirect(signIn);
  }
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const policy = contentSecurityPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("Content-Security-Policy", policy); // Next puts the nonce of this one on its own scripts
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  return response;
}

const isPublic = (pathname: string) => PUBLIC.some((path) => pathname === path || pathname.startsWith(`${path}/`));

/** next-auth splits a long cookie into `name.0`, `name.1` … */
const hasCookie = (request: NextRequest) => COOKIES.some((name) => request.cookies.has(name) || request.cookies.has(`${name}.0`));

function contentSecurityPolicy(nonce: string): string {
  const development = process.env.NODE_ENV === "development" ? " 'unsafe-eval'" : "";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Pages only: the API speaks JSON and answers for itself. */
export const config = { matcher: ["/((?!api/|_next/static|_next/image|favicon.ico|icon.svg).*)"] };
