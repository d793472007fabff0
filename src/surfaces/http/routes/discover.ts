import { Discovery, DiscoveryInput } from '../../../operations/discover/discovery.ts';
import { getDiscovery } from '../../../operations/discover/get-discovery.ts';
import { ScoredUrls, ScoreUrlsInput, scoreUrls } from '../../../operations/discover/score-urls.ts';
import { startDiscovery } from '../../../operations/discover/start-discovery.ts';
import { IdParams } from '../../../operations/schemas.ts';
import { GIVEN_URL } from '../declared.ts';
import { route } from '../route.ts';

const tag = 'discover';

export const discoverRoutes = [
  route({
    method: 'POST',
    path: '/discover',
    id: 'startDiscovery',
    summary: 'Look for the addresses of a site',
    description:
      'Asks sitemaps, feeds, the links of the home page or the Common Crawl index; the result is read by id.',
    tag,
    access: 'write',
    bound: 'refused',
    errors: GIVEN_URL,
    example: { body: { domain: '{site}', sources: ['sitemap'], max_urls: 100 } },
    creates: 'plain',
    body: DiscoveryInput,
    status: 202,
    response: Discovery,
    handler: ({ app, body }) => startDiscovery(app, body),
  }),
  route({
    method: 'POST',
    path: '/discover/score',
    id: 'scoreUrls',
    summary: 'Score addresses against a query',
    tag,
    access: 'read',
    bound: 'refused',
    example: { body: { urls: ['https://example.com/docs/heat', 'https://example.com/about'], query: 'heat' } },
    body: ScoreUrlsInput,
    response: ScoredUrls,
    handler: async ({ body }) => scoreUrls(body),
  }),
  route({
    method: 'GET',
    path: '/discover/:id',
    id: 'getDiscovery',
    summary: 'Show a discovery and what it found',
    tag,
    access: 'read',
    bound: 'refused',
    params: IdParams,
    response: Discovery,
    handler: ({ app, params }) => getDiscovery(app, params.id),
  }),
];
