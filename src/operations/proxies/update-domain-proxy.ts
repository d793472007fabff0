import { z } from 'zod';
import type { App } from '../../app.ts';
import { updateDomainProxyRow } from '../../db/proxies/domain-proxies.ts';
import { requireDomain } from '../domains/get-domain.ts';
import { found } from '../found.ts';
import { Priority } from '../schemas.ts';

export const UpdateDomainProxyInput = z.strictObject({
  is_active: z.boolean().optional(),
  priority: Priority.optional(),
});

export async function updateDomainProxy(
  app: App,
  name: string,
  proxyId: string,
  input: z.output<typeof UpdateDomainProxyInput>,
): Promise<void> {
  const { id, domain } = await requireDomain(app, name);
  const change = { is_active: input.is_active, priority: input.priority };
  found(await updateDomainProxyRow(app.database, id, proxyId, change), `proxy of ${domain}`, proxyId);
}
