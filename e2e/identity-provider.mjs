import { createServer } from "node:http";
import Provider from "oidc-provider";

// A real OpenID Connect provider on loopback, for a story to run: PORT, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI. As the standard
// has it, the e-mail is not in the signed token. Whoever signs in types a subject; PUT /accounts/SUBJECT says what is known of it.

const { PORT, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI } = process.env;
const accounts = new Map();

const provider = new Provider(`http://127.0.0.1:${PORT}`, {
  clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [REDIRECT_URI] }],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
  cookies: { keys: ["a key for cookies of the tests"] },
  findAccount: (_request, accountId) => accounts.has(accountId) && { accountId, claims: () => ({ sub: accountId, ...accounts.get(accountId) }) },
  async loadExistingGrant({ oidc }) {
    const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope("openid email profile");
    await grant.save();
    return grant;
  },
});
const answer = provider.callback();

createServer(async (request, response) => {
  const subject = /^\/accounts\/(\w+)$/.exec(request.url ?? "")?.[1];
  if (request.method !== "PUT" || !subject) return void answer(request, response);
  accounts.set(subject, JSON.parse(Buffer.concat(await request.toArray()).toString()));
  response.writeHead(204).end();
}).listen(Number(PORT), "127.0.0.1", () => process.send?.("ready"));
