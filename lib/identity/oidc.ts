import type { OAuthConfig, UserinfoEndpointHandler } from "next-auth/providers/oauth";

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
    userinfo: { request: readProfile },
    checks: ["pkce", "state", "nonce"], authorization: { params: { scope: "openid email profile" } },
    profile: ({ sub, name, email }) => ({ id: sub, name: name ?? null, email: email ?? null }),
  }];
}

type Asked = Parameters<NonNullable<UserinfoEndpointHandler["request"]>>[0];

/** What the signed token says of a person. Many providers keep the e-mail out of it and are asked for that as well; the token wins. */
async function readProfile({ client, tokens }: Asked): Promise<OidcProfile> {
  const signed = (tokens as typeof tokens & { claims: () => OidcProfile }).claims(); // it is openid-client's, checked
  const asked = client.issuer.metadata.userinfo_endpoint && tokens.access_token ? await client.userinfo(tokens.access_token) : {};
  return { ...asked, ...signed };
}
