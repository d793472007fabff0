import { z } from 'zod';
import type { App } from '../../app.ts';
import { listProxyRows } from '../../db/proxies/proxy-pool.ts';
import { decodeIdCursor, type ListPage, ListQuery, toListPage } from '../paging.ts';
import { CountryCode, type ProxyInfo } from './proxy.ts';

export const ListProxiesInput = ListQuery.extend({
  active: z.stringbool().optional(),
  country_code: CountryCode.optional(),
});

export async function listProxies(app: App, input: z.output<typeof ListProxiesInput>): Promise<ListPage<ProxyInfo>> {
  const rows = await listProxyRows(app.database, {
    limit: input.limit + 1,
    beforeId: decodeIdCursor(input.cursor),
    active: input.active,
    country: input.country_code,
  });
  return toListPage(
    rows,
    input.limit,
    (row) => [row.id],
    (row) => row,
  );
}
