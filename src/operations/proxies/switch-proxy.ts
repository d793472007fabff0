import type { App } from '../../app.ts';
import { setProxyActive } from '../../db/proxies/proxy-pool.ts';
import { found } from '../found.ts';
import type { ProxyInfo } from './proxy.ts';

/** On clears past failures; off stays off until a user turns it on. */
export async function switchProxy(app: App, id: string, active: boolean): Promise<ProxyInfo> {
  return found(await setProxyActive(app.database, id, active), 'proxy', id);
}
