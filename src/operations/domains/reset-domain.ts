import type { App } from '../../app.ts';
import { resetDomainRow } from '../../db/domains/domain-policy.ts';
import { found } from '../found.ts';
import { type Domain, toDomain, toDomainName } from './domain.ts';

export async function resetDomain(app: App, name: string): Promise<Domain> {
  const domain = toDomainName(name);
  return toDomain(found(await resetDomainRow(app.database, domain), 'domain', domain));
}
