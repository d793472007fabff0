import type { ErrorCode } from '../errors.ts';
import { ordinaryRoutes } from './pages.ts';

interface Expected {
  /** Fetched and kept as documents, by a crawl that starts at the front page and also from the sitemaps. */
  crawled: string[];
  /** Requested, or refused before that, with the code each must end with. */
  skipped: { url: string; code: ErrorCode }[];
  /** All fetched; of each group, all but the first one reached are near-duplicates of it. */
  nearDuplicates: string[][];
  redirects: { from: string; to: string }[];
  /** Only a browser sees their content. */
  scripted: string[];
  /** Everything below these has no end; a crawl visits some of it and then stops with TRAP_DETECTED or DEPTH_LIMIT. */
  endless: string[];
  /** Linked, and yet no request may arrive. */
  neverRequested: string[];
  /** In no link, only in a sitemap; part of `crawled`. */
  sitemapOnly: string[];
}

/** What a right crawl of the demo site ends with, under default settings. */
export function expected(origin: string): Expected {
  const at = (path: string) => origin + path;
  return {
    crawled: [
      ...ordinaryRoutes().keys(),
      '/curiosities',
      '/busy',
      '/flaky',
      '/notes/field-test',
      '/notes/guests',
      '/notes/hidden-meadow',
      '/files/field-manual.pdf',
    ].map(at),
    skipped: [
      { url: at('/private/prototypes'), code: 'ROBOTS_DISALLOWED' },
      { url: at('/docs/glossary?print=1'), code: 'ROBOTS_DISALLOWED' },
      { url: at('/missing'), code: 'HTTP_4XX' },
      { url: at('/de/erste-schritte'), code: 'LANGUAGE_SKIPPED' },
      { url: at('/files/firmware-2.4.1.zip'), code: 'CONTENT_TYPE_UNSUPPORTED' },
      { url: at('/notes/checklist'), code: 'NOINDEX' },
      { url: at('/notes/rota'), code: 'NOINDEX' },
    ],
    nearDuplicates: [['a', 'b', 'c'].map((station) => at(`/reports/station-${station}`))],
    redirects: [{ from: at('/old-handbook'), to: at('/docs/') }],
    scripted: [at('/live/meadow')],
    endless: [at('/calendar/')],
    neverRequested: [
      at('/private/prototypes'),
      at('/docs/glossary?print=1'),
      at('/notes/behind-nofollow'),
      at('/shop/?PHPSESSID=3b1f0a9c77d24e51a6c2d90e4f8b1234'),
    ],
    sitemapOnly: [at('/notes/hidden-meadow')],
  };
}
