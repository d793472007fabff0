import type { Route } from '../route.ts';
import { accessRoutes } from './access.ts';
import { domainRoutes } from './domains.ts';
import { organiseRoutes } from './organise.ts';
import { proxyRoutes } from './proxies.ts';

/** Every route of the API. */
export const ROUTES: readonly Route[] = [...organiseRoutes, ...domainRoutes, ...proxyRoutes, ...accessRoutes];
