import NextAuth, { type NextAuthOptions, type User } from "next-auth";
import { decode, encode, type JWT } from "next-auth/jwt";
import Credentials from "next-auth/providers/credentials";
import { Refusal } from "../kernel/refusal";
import { oidcProvider, type OidcProfile } from "./oidc";
import { endSignIn, readSignIn, signInWithIdentity, signInWithPassword, type SignInToken } from "./sign-ins";

// The only file that runs next-auth. The cookie is a sealed token that names a row of `sign_in`; every request reads that row.

type OnFault = (error: unknown) => void;

const TWELVE_HOURS = 12 * 60 * 60;

const tokenOf = (jwt: object | null): SignInToken | null => {
  const { merchantId, signInId, personId } = (jwt ?? {}) as Partial<SignInToken>;
  return merchantId && signInId && personId ? { merchantId, signInId, personId } : null;
};

const asUser = (token: SignInToken | null): User | null => token && ({ id: token.personId, ...token } as User);

/** The address that our own server vouches for: it overwrites what a client sent. */
const addressOf = (headers: Record<string, string> | undefined): string => headers?.["x-forwarded-for"]?.split(",")[0]?.trim() ?? "unknown";

/** To a caller a failure is a code: of a fault next-auth would show the message. */
const codeOf = (error: unknown, onFault: OnFault): string => {
  if (error instanceof Refusal) return error.code;
  onFault(error);
  return "unavailable";
};

export const authOptions = (onFault: OnFault): NextAuthOptions => ({
  session: { strategy: "jwt", maxAge: TWELVE_HOURS },
  pages: { signIn: "/sign-in", error: "/sign-in" },
  providers: [
    Credentials({
      credentials: { email: { type: "email" }, password: { type: "password" } },
      async authorize(credentials, request) {
        const { email = "", password = "" } = credentials ?? {};
        try {
          return asUser(await signInWithPassword(String(email).slice(0, 320), String(password).slice(0, 1024), addressOf(request.headers as Record<string, string>)));
        } catch (error) {
          throw new Error(codeOf(error, onFault));
        }
      },
    }),
    ...oidcProvider(),
  ],
  callbacks: {
    /** An identity provider says who someone is; whether they have a place here is ours to say. */
    async signIn({ user, account, profile }) {
      if (account?.type !== "oauth") return true;
      const { iss, sub, email, email_verified } = profile as OidcProfile;
      try {
        const token = await signInWithIdentity({ issuer: iss, subject: sub, verifiedEmail: email_verified === true && email ? email : null });
        return token ? Boolean(Object.assign(user, token)) : "/sign-in?error=not_invited";
      } catch (error) {
        return `/sign-in?error=${codeOf(error, onFault)}`;
      }
    },
    async jwt({ token, user }) {
      if (user) return { ...tokenOf(user) };
      const named = tokenOf(token);
      return named && (await readSignIn(named)) ? token : {};
    },
    session: ({ session, token }) => ({ expires: session.expires, user: tokenOf(token) ? { name: null } : undefined }),
  },
  events: {
    async signOut({ token }) {
      const named = tokenOf(token);
      if (named) await endSignIn(named);
    },
  },
});

/** The handler of next-auth's routes. A fault of a sign-in goes to `onFault` and no further. */
export const authHandler = (onFault: OnFault) => NextAuth(authOptions(onFault)) as (request: Request, context: unknown) => Promise<Response>;

const COOKIES = ["__Secure-next-auth.session-token", "next-auth.session-token"] as const;

/** The names of rows in a request's cookie, or null. Not yet a sign-in: `readSignIn` says whether it is one. */
export async function tokenFromCookies(read: (name: string) => string | undefined): Promise<SignInToken | null> {
  const cookie = COOKIES.map(read).find((value) => value !== undefined);
  const secret = process.env.NEXTAUTH_SECRET;
  if (!cookie || !secret) return null;
  const jwt: JWT | null = await decode({ token: cookie, secret }).catch(() => null);
  return tokenOf(jwt);
}

/** The cookie that next-auth itself sets for a sign-in, with its flags. */
export async function sealSignIn(token: SignInToken) {
  const secret = process.env.NEXTAUTH_SECRET;
  if (!secret) throw new Error("NEXTAUTH_SECRET is not set");
  const secure = process.env.NEXTAUTH_URL?.startsWith("https://") ?? false;
  const value = await encode({ token, secret, maxAge: TWELVE_HOURS });
  return { name: COOKIES[secure ? 0 : 1], value, httpOnly: true, sameSite: "lax", path: "/", secure, maxAge: TWELVE_HOURS } as const;
}
