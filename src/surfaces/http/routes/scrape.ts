import { ScrapedPage, ScrapeInput, scrape } from '../../../operations/media/scrape.ts';
import { VISITS_SITE } from '../declared.ts';
import { route } from '../route.ts';

export const scrapeRoutes = [
  route({
    method: 'POST',
    path: '/scrape',
    id: 'scrapePage',
    summary: 'Read one page, keep nothing',
    description: 'The page is fetched now, as politely as a crawl would; what it holds is answered and not stored.',
    tag: 'media',
    access: 'write',
    bound: 'refused',
    errors: [...VISITS_SITE, 'PARSE_FAILED', 'PARSE_TIMEOUT', 'PARSE_MEMORY'],
    example: { body: { url: '{site}/' } },
    body: ScrapeInput,
    response: ScrapedPage,
    handler: ({ app, body, gone }) => scrape(app, body, gone()),
  }),
];
