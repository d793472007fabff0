import type { App } from '../../app.ts';
import { setDomainActive } from '../../db/domains/domain-policy.ts';
import { type Domain, toDomain } from './domain.ts';
import { requireDomain } from './get-domain.ts';

export async function unblockDomain(app: App, name: string): Promise<Domain> {
  const row = await requireDomain(app, name);
  return toDomain(await setDomainActive(app.database, row, true, null));
}
