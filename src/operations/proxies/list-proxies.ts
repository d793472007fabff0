import { z } from 'zod';
import type { App } from '../../app.ts';
import { listProxyRows, PROXY_SORTS } from '../../db/proxies/proxy-pool.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import { CountryCode, type ProxyInfo } from './proxy.ts';

export const ListProxiesInput = ListQuery.extend({
  ...sortBy(PROXY_SORTS),
  active: z.stringbool().optional(),
  country_code: CountryCode.optional(),
});

export async function listProxies(app: App, input: z.output<typeof ListProxiesInput>): Promise<ListPage<ProxyInfo>> {
  const listing = listProxyRows({ active: input.active, country: input.country_code });
  return readList(app.database, listing, PROXY_SORTS, input, (row) => row);
}
