import NextAuth, { type NextAuthOptions } from "next-auth";
import { decode, type JWT } from "next-auth/jwt";
import Credentials from "next-auth/providers/credentials";
import { endSignIn, readSignIn, signInWithPassword, type SignInToken } from "./sign-ins";

// The only file that knows next-auth. The cookie is a sealed token that names a row of `sign_in`; every request reads that row.

const TWELVE_HOURS = 12 * 60 * 60;

const tokenOf = (jwt: JWT | null): SignInToken | null => {
  const { merchantId, signInId, personId } = (jwt ?? {}) as Partial<SignInToken>;
  return merchantId && signInId && personId ? { merchantId, signInId, personId } : null;
};

const options: NextAuthOptions = {
  session: { strategy: "jwt", maxAge: TWELVE_HOURS },
  pages: { signIn: "/sign-in", error: "/sign-in" },
  providers: [
    Credentials({
      credentials: { email: { type: "email" }, password: { type: "password" } },
      async authorize(credentials) {
        const token = await signInWithPassword(String(credentials?.email ?? ""), String(credentials?.password ?? "").slice(0, 1024));
        return token && { id: token.personId, ...token };
      },
    }),
  ],
  callbacks: {
    async jwt({ token, user }) {
      if (user) return { ...tokenOf(user as unknown as JWT) };
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
};

export const authHandler = NextAuth(options) as (request: Request, context: unknown) => Promise<Response>;

const COOKIES = ["__Secure-next-auth.session-token", "next-auth.session-token"] as const;

/** The names of rows in a request's cookie, or null. Not yet a sign-in: `readSignIn` says whether it is one. */
export async function tokenFromCookies(read: (name: string) => string | undefined): Promise<SignInToken | null> {
  const cookie = COOKIES.map(read).find((value) => value !== undefined);
  const secret = process.env.NEXTAUTH_SECRET;
  if (!cookie || !secret) return null;
  return tokenOf(await decode({ token: cookie, secret }).catch(() => null));
}
