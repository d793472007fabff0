import type { App } from '../../app.ts';
import { findProxy } from '../../db/proxies/proxy-pool.ts';
import { found } from '../found.ts';
import type { ProxyInfo } from './proxy.ts';

export async function getProxy(app: App, id: string): Promise<ProxyInfo> {
  return found(await findProxy(app.database, id), 'proxy', id);
}
