import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface OidcProvider extends AsyncDisposable {
  issuer: string;
  /**
   * What a person does in a browser: follows the address to the provider, logs in there by name, and returns where the
   * provider sends the browser back to.
   */
  logIn(location: string, name: string): Promise<URL>;
}

const HOPS = 12;

/** Starts a real OpenID provider in a process of its own. Accounts: name → claims. */
export async function startOidcProvider(redirectUri: string, accounts: Record<string, object>): Promise<OidcProvider> {
  const file = fileURLToPath(new URL('oidc-provider-process.mjs', import.meta.url));
  const child = spawn(process.execPath, [file, redirectUri, JSON.stringify(accounts)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr.on('data', (text) => (complaints += text));
  const ended = once(child, 'close');
  const [line] = (await Promise.race([once(child.stdout, 'data'), ended])) as [unknown];
  const issuer = String(line).trim();
  if (!issuer.startsWith('http://')) throw new Error(`the provider did not start: ${complaints}`);
  return {
    issuer,
    logIn: (location, name) =>
      follow(issuer, location, name).catch((cause: unknown) => {
        throw new Error(`signing in at the provider failed: ${complaints}`, { cause });
      }),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}

async function follow(issuer: string, location: string, name: string): Promise<URL> {
  const jar = new Map<string, string>();
  let url = new URL(location);
  let form: URLSearchParams | undefined;
  for (let hop = 0; hop < HOPS; hop++) {
    if (url.origin !== issuer) return url;
    const response: Response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, key, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      jar.set(key!, value!);
    }
    const next = response.headers.get('location');
    const text = await response.text();
    form = undefined;
    if (next !== null) url = new URL(next, url);
    else if (response.status === 200) form = new URLSearchParams({ prompt: 'login', login: name, password: 'any' });
    else throw new Error(`the provider answered ${response.status}: ${text.slice(0, 500)}`);
  }
  throw new Error(`the provider led nowhere: ${url}`);
}
