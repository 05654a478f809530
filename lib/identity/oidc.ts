import type { OAuthConfig } from "next-auth/providers/oauth";

export type OidcProfile = { iss: string; sub: string; email?: string; email_verified?: boolean; name?: string };

/** Whether this installation signs people in by an identity provider as well: its name for the button, or null. */
export const oidcName = (): string | null => (process.env.UNDERSIGNED_OIDC_ISSUER ? (process.env.UNDERSIGNED_OIDC_NAME ?? "single sign-on") : null);

/** OpenID Connect by discovery, with PKCE, state and nonce; nothing where it is not configured. */
export function oidcProvider(): OAuthConfig<OidcProfile>[] {
  const { UNDERSIGNED_OIDC_ISSUER: issuer, UNDERSIGNED_OIDC_CLIENT_ID: clientId, UNDERSIGNED_OIDC_CLIENT_SECRET: clientSecret } = process.env;
  if (!issuer || !clientId || !clientSecret) return [];
  return [{
    id: "oidc", name: oidcName()!, type: "oauth", idToken: true, issuer, clientId, clientSecret,
    wellKnown: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
    checks: ["pkce", "state", "nonce"], authorization: { params: { scope: "openid email profile" } },
    profile: ({ sub, name, email }) => ({ id: sub, name: name ?? null, email: email ?? null }),
  }];
}
