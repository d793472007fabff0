import { type Client, createClient } from '../../../clients/typescript/src/index.ts';
import packageFile from '../../../package.json' with { type: 'json' };
import type { App } from '../../app.ts';
import { currentSettings } from '../../config/current.ts';
import { chooseRemote, type Remote } from '../../config/remote.ts';
import type { Settings } from '../../config/settings.ts';
import { AppError } from '../../errors.ts';
import { type ApiClient, createLocalFetch, IN_PROCESS } from '../http/client.ts';
import { readServerFile } from '../server-file.ts';
import { explainError } from './explain-error.ts';
import { currentGlobalOptions, readKey } from './global-options.ts';
import { talk } from './terminal.ts';

export interface Connection extends ApiClient, AsyncDisposable {
  readonly client: Client;
  /** The server that does the work; undefined when this process does. */
  readonly origin: string | undefined;
  /** The server is another installation, not that of the data folder. */
  readonly remote: boolean;
}

export interface ConnectOptions {
  /** Work that must go on while this process is the engine: fetching, indexing. */
  roles?: (app: App, signal: AbortSignal) => Promise<unknown>;
}

/**
 * The API, from wherever it is available: the server that options, environment or profile name; else that of the data
 * folder when it answers; else an engine in this process for as long as the command runs. The same routes answer each time.
 */
export async function connect(options: ConnectOptions = {}): Promise<Connection> {
  const remote = currentRemote();
  if (remote !== undefined) return openRemote(remote);
  const { settings } = currentSettings();
  const known = readServerFile(settings.dataDir);
  if (known !== undefined) {
    const client = openClient(known.origin, known.key, false);
    const alive = await client.access.getMe({ retries: 0 }).catch(() => undefined);
    if (alive !== undefined) return toConnection(client, known.origin, false);
  }
  return openHere(settings, options);
}

/** The server that options, environment or profile name for this process. */
export const currentRemote = (): Remote | undefined => chooseRemote(currentGlobalOptions());

/** A client that throws errors of the program's own. */
export function openClient(server: string, key: string | undefined, remote: boolean): Client {
  try {
    const client: Client = createClient({
      server,
      key,
      userAgent: `crawl4r-cli/${packageFile.version}`,
      mapError: (error) => explainError(error, client.server, remote),
    });
    return client;
  } catch (cause) {
    throw new AppError('URL_INVALID', (cause as Error).message, {
      cause,
      hint: 'Give --server an address such as https://crawler.example.com; the key goes into --key.',
    });
  }
}

/** What is sent there can be read on the way: no encryption, and not on this machine. */
const isOpenToReaders = ({ protocol, hostname }: URL) =>
  protocol === 'http:' && !(/^(?:127\.|\[::1\]$)/.test(hostname) || `.${hostname}`.endsWith('.localhost'));

/** A server elsewhere, once it has shown that it is one of ours and takes the key. */
export async function openRemote({ server, key }: Remote): Promise<Connection> {
  const client = openClient(server, readKey(key), true);
  if (key !== undefined && isOpenToReaders(new URL(client.server)))
    talk(`warning: the key goes to ${client.server} without encryption; use https`);
  // A mistake in the address should show at once.
  const me = await client.access.getMe({ retries: 1 });
  if (!Array.isArray(me?.scopes)) throw new AppError('NOT_CRAWL4R', `what answers at ${client.server} is not crawl4r`);
  return toConnection(client, client.server, true);
}

const toConnection = (client: Client, origin: string | undefined, remote: boolean): Connection => ({
  client,
  origin,
  remote,
  call: (method, path, body) => client.request(method, path, body),
  [Symbol.asyncDispose]: async () => {},
});

/** The engine is loaded only here: a command that calls a server starts at once. */
async function openHere(settings: Settings, { roles }: ConnectOptions): Promise<Connection> {
  const [{ createApp }, { createServer }] = await Promise.all([import('../../app.ts'), import('../http/server.ts')]);
  const app = await createApp({ ...settings, logLevel: settings.logLevel === 'debug' ? 'debug' : 'error' });
  const server = createServer(app, { trusted: true });
  const stop = new AbortController();
  const work = roles?.(app, stop.signal);
  const client = createClient({
    server: IN_PROCESS,
    fetch: createLocalFetch(server),
    // What is slow here is the machine itself; there is no connection that could be lost.
    timeoutMs: 600_000,
    mapError: (error) => explainError(error, 'this process', false),
  });
  return {
    ...toConnection(client, undefined, false),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await work;
      await server.close();
      await app[Symbol.asyncDispose]();
    },
  };
}
