import type { App } from '../../app.ts';
import { refreshUsesProxies, removeDomainProxy as removeRow } from '../../db/proxies/domain-proxies.ts';
import { requireDomain } from '../domains/get-domain.ts';
import { found } from '../found.ts';
import { tellPoolsEmptied } from './pool-emptied.ts';

/** When the last one leaves, the domain is fetched directly again. */
export async function removeDomainProxy(app: App, name: string, proxyId: string): Promise<void> {
  const { id, domain } = await requireDomain(app, name);
  await tellPoolsEmptied(app, async (tx) => {
    found(await removeRow(tx, id, proxyId), `proxy of ${domain}`, proxyId);
    return (await refreshUsesProxies(tx, id)) ? [] : [domain];
  });
}
