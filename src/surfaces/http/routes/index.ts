import type { Route } from '../route.ts';
import { accessRoutes } from './access.ts';
import { adminRoutes } from './admin.ts';
import { alertRoutes } from './alerts.ts';
import { blobRoutes } from './blobs.ts';
import { crawlRoutes } from './crawl.ts';
import { discoverRoutes } from './discover.ts';
import { documentRoutes } from './documents.ts';
import { domainRoutes } from './domains.ts';
import { eventRoutes } from './events.ts';
import { exportRoutes } from './exports.ts';
import { frontierRoutes } from './frontier.ts';
import { keyRoutes } from './keys.ts';
import { mediaRoutes } from './media.ts';
import { organiseRoutes } from './organise.ts';
import { pageRoutes } from './pages.ts';
import { peopleRoutes } from './people.ts';
import { productRoutes } from './products.ts';
import { proxyRoutes } from './proxies.ts';
import { scrapeRoutes } from './scrape.ts';
import { searchRoutes } from './search.ts';
import { searchIndexRoutes } from './search-index.ts';
import { sessionRoutes } from './sessions.ts';
import { signInRoutes } from './sign-in.ts';
import { sourceRoutes } from './sources.ts';
import { taskRoutes } from './tasks.ts';
import { webhookRoutes } from './webhooks.ts';

/** Every route of the API, group by group. */
export const ROUTES: readonly Route[] = [
  ...crawlRoutes,
  ...taskRoutes,
  ...frontierRoutes,
  ...pageRoutes,
  ...searchRoutes,
  ...searchIndexRoutes,
  ...documentRoutes,
  ...discoverRoutes,
  ...mediaRoutes,
  ...scrapeRoutes,
  ...blobRoutes,
  ...productRoutes,
  ...exportRoutes,
  ...organiseRoutes,
  ...sourceRoutes,
  ...webhookRoutes,
  ...eventRoutes,
  ...domainRoutes,
  ...proxyRoutes,
  ...alertRoutes,
  ...adminRoutes,
  ...accessRoutes,
  ...keyRoutes,
  ...signInRoutes,
  ...sessionRoutes,
  ...peopleRoutes,
];
