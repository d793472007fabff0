import type { App } from '../../app.ts';
import { deleteProxyRow } from '../../db/proxies/proxy-pool.ts';
import { found } from '../found.ts';

export async function deleteProxy(app: App, id: string): Promise<void> {
  found(await deleteProxyRow(app.database, id), 'proxy', id);
}
