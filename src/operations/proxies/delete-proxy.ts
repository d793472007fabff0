import type { App } from '../../app.ts';
import { deleteProxyRow } from '../../db/proxies/proxy-pool.ts';
import { found } from '../found.ts';
import { tellPoolsEmptied } from './pool-emptied.ts';

/** Domains whose pool it was the last of are fetched directly from then on, and the log says so. */
export async function deleteProxy(app: App, id: string): Promise<void> {
  await tellPoolsEmptied(app, async (tx) => found(await deleteProxyRow(tx, id), 'proxy', id));
}
