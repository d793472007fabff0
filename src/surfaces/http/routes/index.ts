import type { Route } from '../route.ts';
import { accessRoutes } from './access.ts';
import { adminRoutes } from './admin.ts';
import { domainRoutes } from './domains.ts';
import { organiseRoutes } from './organise.ts';
import { pageRoutes } from './pages.ts';
import { proxyRoutes } from './proxies.ts';
import { sourceRoutes } from './sources.ts';

/** Every route of the API, group by group. */
export const ROUTES: readonly Route[] = [
  ...pageRoutes,
  ...organiseRoutes,
  ...sourceRoutes,
  ...domainRoutes,
  ...proxyRoutes,
  ...adminRoutes,
  ...accessRoutes,
];
