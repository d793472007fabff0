import { z } from 'zod';
import type { App } from '../../app.ts';
import { upsertDomainPolicy } from '../../db/domains/domain-policy.ts';
import { assignProxies, listDomainProxyRows, refreshUsesProxies } from '../../db/proxies/domain-proxies.ts';
import { orConflict } from '../../db/unique.ts';
import { newId } from '../../ids.ts';
import { toDomainName } from '../domains/domain.ts';
import type { ListPage } from '../paging.ts';
import { Id, Priority } from '../schemas.ts';
import { type DomainProxy, toDomainProxy } from './domain-proxy.ts';

export const AssignProxiesInput = z.strictObject({
  proxy_ids: z.array(Id).min(1).max(100),
  priority: Priority.default(5),
});

/** From then on, requests to the domain go through its pool. */
export async function assignDomainProxies(
  app: App,
  name: string,
  input: z.output<typeof AssignProxiesInput>,
): Promise<ListPage<DomainProxy>> {
  const domain = toDomainName(name);
  const rows = await app.database.transaction(async (tx) => {
    const { id } = await upsertDomainPolicy(tx, { id: newId(), domain }, {});
    await orConflict(
      assignProxies(tx, id, [...new Set(input.proxy_ids)], input.priority),
      'one of these proxies does not exist',
    );
    await refreshUsesProxies(tx, id);
    return listDomainProxyRows(tx, id);
  });
  return { items: rows.map(toDomainProxy), next_cursor: null, has_more: false, total: rows.length };
}
