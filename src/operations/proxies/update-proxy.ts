import type { z } from 'zod';
import type { App } from '../../app.ts';
import { updateProxyRow } from '../../db/proxies/proxy-pool.ts';
import { orConflict } from '../../db/unique.ts';
import { requireProxyUrl } from '../checked-url.ts';
import { found } from '../found.ts';
import { type ProxyInfo, type ProxyInput, toProxyFields } from './proxy.ts';
import { switchProxy } from './switch-proxy.ts';

export async function updateProxy(app: App, id: string, input: z.output<typeof ProxyInput>): Promise<ProxyInfo> {
  requireProxyUrl(app.guard, input.url);
  const fields = toProxyFields(app.secrets, input);
  const keepPassword = input.password === undefined && fields.password === null;
  const row = await orConflict(
    updateProxyRow(app.database, id, fields, keepPassword),
    `a proxy is called "${input.name}" already`,
  );
  const updated = found(row, 'proxy', id);
  const { is_active = updated.is_active } = input;
  return is_active === updated.is_active ? updated : switchProxy(app, id, is_active);
}
