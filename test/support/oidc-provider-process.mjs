// An OpenID provider (oidc-provider from npm) on loopback. Prints its issuer as one line when it listens; ends with stdin.
//   oidc-provider-process.mjs REDIRECT_URI ACCOUNTS
// ACCOUNTS: JSON, login name → claims. Its log-in page takes every name of them, with any password.
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const [, , redirectUri, accounts] = process.argv;
const known = JSON.parse(accounts);
const server = createServer();
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const issuer = `http://127.0.0.1:${server.address().port}`;
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'crawl4r',
      client_secret: 'a secret of the client',
      redirect_uris: [redirectUri],
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
  cookies: { keys: ['tests only'] },
  pkce: { required: () => true },
  features: { devInteractions: { enabled: true } },
  findAccount: (_, name) =>
    Object.hasOwn(known, name) ? { accountId: name, claims: () => ({ sub: name, ...known[name] }) } : undefined,
  // Everything that is asked for is granted: nobody is there to consent.
  async loadExistingGrant({ oidc }) {
    const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  },
});
provider.on('server_error', (_, error) => process.stderr.write(`${error.stack}\n`));
server.on('request', provider.callback());
process.stdout.write(`${issuer}\n`);
process.stdin.resume().on('end', () => process.exit(0));
