import type { Route } from '../route.ts';
import { accessRoutes } from './access.ts';

/** Every route of the API. */
export const ROUTES: readonly Route[] = [...accessRoutes];
