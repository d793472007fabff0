import type { App } from '../../app.ts';
import { resetDomainRow } from '../../db/domains/domain-policy.ts';
import { tellDomainSwitch } from '../../pipeline/frontier/closed-domains.ts';
import { wakeDomains } from '../../pipeline/frontier/wake-domains.ts';
import { found } from '../found.ts';
import { type Domain, toDomain, toDomainName } from './domain.ts';
import { switchDomain } from './switch-domain.ts';

export async function resetDomain(app: App, name: string): Promise<Domain> {
  const domain = toDomainName(name);
  const opened = found(await switchDomain(app, domain, (tx) => resetDomainRow(tx, domain)), 'domain', domain);
  await tellDomainSwitch(app.pubsub, opened);
  await wakeDomains(app, [{ domain_id: opened.id }]);
  return toDomain(opened);
}
