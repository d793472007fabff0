import type { App } from '../../app.ts';
import { createLocalKey } from '../../operations/access/create-local-key.ts';
import { removeServerFile, writeServerFile } from '../server-file.ts';
import { listen, refuseExposure, warnOfNetwork } from './listen.ts';
import { createServer } from './server.ts';

export interface ApiOptions {
  /** Take one of the next ports when the chosen one is in use. */
  nextFree?: boolean;
  onListening?: (origin: string) => Promise<void> | void;
}

/** Serves the HTTP API until `signal` aborts; requests under way are answered first. */
export async function runApi(app: App, signal: AbortSignal, options: ApiOptions = {}): Promise<void> {
  refuseExposure(app.settings);
  const server = createServer(app);
  const { host, port, dataDir } = app.settings;
  try {
    const { origin } = await listen(server, { host, port, nextFree: options.nextFree ?? false });
    writeServerFile(dataDir, { origin, pid: process.pid, key: await createLocalKey(app) });
    app.log.info('listening', { origin });
    const warning = warnOfNetwork(app.settings);
    if (warning !== undefined) app.log.warn('open_to_network', { warning });
    await options.onListening?.(origin);
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  } finally {
    removeServerFile(dataDir);
    await server.close();
  }
}
