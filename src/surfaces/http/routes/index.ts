import type { Route } from '../route.ts';
import { accessRoutes } from './access.ts';
import { domainRoutes } from './domains.ts';
import { organiseRoutes } from './organise.ts';

/** Every route of the API. */
export const ROUTES: readonly Route[] = [...organiseRoutes, ...domainRoutes, ...accessRoutes];
