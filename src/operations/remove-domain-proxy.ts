import type { App } from '../app.ts';
import { refreshUsesProxies, removeDomainProxy as removeRow } from '../db/domain-proxies.ts';
import { found } from './found.ts';
import { requireDomain } from './get-domain.ts';

/** When the last one leaves, the domain is fetched directly again. */
export async function removeDomainProxy(app: App, name: string, proxyId: string): Promise<void> {
  const { id, domain } = await requireDomain(app, name);
  await app.database.transaction(async (tx) => {
    found(await removeRow(tx, id, proxyId), `proxy of ${domain}`, proxyId);
    await refreshUsesProxies(tx, id);
  });
}
