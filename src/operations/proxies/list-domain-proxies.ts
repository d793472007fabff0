import type { App } from '../../app.ts';
import { listDomainProxyRows } from '../../db/proxies/domain-proxies.ts';
import { requireDomain } from '../domains/get-domain.ts';
import type { ListPage } from '../paging.ts';
import { type DomainProxy, toDomainProxy } from './domain-proxy.ts';

export async function listDomainProxies(app: App, name: string): Promise<ListPage<DomainProxy>> {
  const { id } = await requireDomain(app, name);
  const items = (await listDomainProxyRows(app.database, id)).map(toDomainProxy);
  return { items, next_cursor: null, has_more: false, total: items.length };
}
