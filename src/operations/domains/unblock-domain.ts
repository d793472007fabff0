import type { App } from '../../app.ts';
import { setDomainActive } from '../../db/domains/domain-policy.ts';
import { tellDomainSwitch } from '../../pipeline/frontier/closed-domains.ts';
import { wakeDomains } from '../../pipeline/frontier/wake-domains.ts';
import { type Domain, toDomain } from './domain.ts';
import { requireDomain } from './get-domain.ts';
import { switchDomain } from './switch-domain.ts';

export async function unblockDomain(app: App, name: string): Promise<Domain> {
  const row = await requireDomain(app, name);
  const opened = await switchDomain(app, row.domain, (tx) => setDomainActive(tx, row, true, null));
  await tellDomainSwitch(app.pubsub, opened);
  await wakeDomains(app, [{ domain_id: opened.id }]);
  return toDomain(opened);
}
