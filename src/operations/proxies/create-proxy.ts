import type { z } from 'zod';
import type { App } from '../../app.ts';
import { insertProxy } from '../../db/proxies/proxy-pool.ts';
import { orConflict } from '../../db/unique.ts';
import { newId } from '../../ids.ts';
import { requireProxyUrl } from '../checked-url.ts';
import { type ProxyInfo, type ProxyInput, toProxyFields } from './proxy.ts';
import { switchProxy } from './switch-proxy.ts';

export async function createProxy(app: App, input: z.output<typeof ProxyInput>): Promise<ProxyInfo> {
  requireProxyUrl(app.guard, input.url);
  const created = await orConflict(
    insertProxy(app.database, newId(), toProxyFields(app.secrets, input)),
    `a proxy is called "${input.name}" already`,
  );
  return input.is_active === false ? switchProxy(app, created.id, false) : created;
}
