import type { App } from '../../app.ts';
import { currentSettings } from '../../config/current.ts';
import type { Settings } from '../../config/settings.ts';
import { type ApiClient, createHttpClient, createLocalClient } from '../http/client.ts';
import { readServerFile } from '../server-file.ts';

export interface Connection extends ApiClient, AsyncDisposable {
  /** Where the work is done: a server that runs for this data folder, or this process. */
  readonly origin: string | undefined;
}

export interface ConnectOptions {
  /** Work that must go on while this process is the engine: fetching, indexing. */
  roles?: (app: App, signal: AbortSignal) => Promise<unknown>;
}

/**
 * The API, from wherever it is available: the server of the data folder when it answers, else an engine in this process
 * for as long as the command runs. Either way the same routes answer.
 */
export async function connect(options: ConnectOptions = {}): Promise<Connection> {
  const { settings } = currentSettings();
  const known = readServerFile(settings.dataDir);
  if (known !== undefined) {
    const client = createHttpClient(known.origin, known.key);
    const alive = await client.call('GET', '/auth/me').catch(() => undefined);
    if (alive !== undefined) return { ...client, origin: known.origin, [Symbol.asyncDispose]: async () => {} };
  }
  return openHere(settings, options);
}

/** The engine is loaded only here: a command that calls a server starts at once. */
async function openHere(settings: Settings, { roles }: ConnectOptions): Promise<Connection> {
  const [{ createApp }, { createServer }] = await Promise.all([import('../../app.ts'), import('../http/server.ts')]);
  const app = await createApp({ ...settings, logLevel: settings.logLevel === 'debug' ? 'debug' : 'error' });
  const server = createServer(app, { trusted: true });
  const stop = new AbortController();
  const work = roles?.(app, stop.signal);
  return {
    ...createLocalClient(server),
    origin: undefined,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await work;
      await server.close();
      await app[Symbol.asyncDispose]();
    },
  };
}
