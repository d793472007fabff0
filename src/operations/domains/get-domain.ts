import type { App } from '../../app.ts';
import { type DomainRow, findDomain } from '../../db/domains/domain-policy.ts';
import { found } from '../found.ts';
import { type Domain, toDomain, toDomainName } from './domain.ts';

export async function getDomain(app: App, name: string): Promise<Domain> {
  return toDomain(await requireDomain(app, name));
}

export async function requireDomain(app: App, name: string): Promise<DomainRow> {
  const domain = toDomainName(name);
  return found(
    await findDomain(app.database, domain),
    'domain',
    domain,
    'Domains appear with their first crawl, or when a policy is set for them.',
  );
}
