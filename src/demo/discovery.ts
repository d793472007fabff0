import { gzipSync } from 'node:zlib';
import { DOCS, POSTS } from './content.ts';
import { changeDays } from './days.ts';
import { escapeHtml, renderMarkup } from './markup.ts';
import { dateOf } from './pages.ts';
import { FAMILY_NAMES, PRODUCTS, slugOf } from './products.ts';
import { type Route, xml } from './reply.ts';

/** Seconds between two requests; small, so that a visit of the whole site takes seconds. */
const CRAWL_DELAY_S = 0.05;

const robots = (origin: string) => `# Everyone is welcome, at a walking pace.
User-agent: *
Disallow: /private/
Disallow: /*?print=
Crawl-delay: ${CRAWL_DELAY_S}

User-agent: ReadEverythingBot
Disallow: /

Sitemap: ${origin}/sitemap.xml
`;

type Entry = [path: string, changed: string];

const docEntries = (day: number): Entry[] => [
  ['/docs/', dateOf(0)],
  ...DOCS.map(
    ({ slug }, index): Entry => [`/docs/${slug}`, dateOf(changeDays('docs', index, day).at(-1) ?? -(index + 3))],
  ),
  ['/notes/hidden-meadow', dateOf(0)],
];
const shopEntries = (day: number): Entry[] => [
  ['/shop/', dateOf(0)],
  ...FAMILY_NAMES.map((name): Entry => [`/shop/family/${slugOf(name)}`, dateOf(0)]),
  ...PRODUCTS.map(
    ({ slug }, index): Entry => [`/shop/${slug}`, dateOf(changeDays('products', index, day).at(-1) ?? 0)],
  ),
];
const blogEntries = (): Entry[] => [
  ['/blog/', POSTS[0]!.note],
  ...POSTS.map(({ slug, note }): Entry => [`/blog/${slug}`, note]),
];

const sitemap = (origin: string, entries: Entry[]) => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.map(([path, changed]) => `<url><loc>${origin}${path}</loc><lastmod>${changed}</lastmod></url>`).join('\n')}
</urlset>
`;

const SITEMAPS = ['/sitemaps/docs.xml', '/sitemaps/shop.xml.gz', '/sitemaps/blog.xml'];

const sitemapIndex = (origin: string, day: number) => `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${SITEMAPS.map((path) => `<sitemap><loc>${origin}${path}</loc><lastmod>${dateOf(day)}</lastmod></sitemap>`).join('\n')}
</sitemapindex>
`;

const feed = (origin: string) => `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Meadowlark journal</title>
<id>${origin}/blog/</id>
<link href="${origin}/blog/"/>
<link rel="self" href="${origin}/blog/feed.xml"/>
<updated>${POSTS[0]!.note}T07:00:00Z</updated>
${POSTS.map(
  (post) => `<entry>
<title>${escapeHtml(post.title)}</title>
<id>${origin}/blog/${post.slug}</id>
<link href="${origin}/blog/${post.slug}"/>
<published>${post.note}T07:00:00Z</published><updated>${post.note}T07:00:00Z</updated>
<author><name>Ada Fennick</name></author>
<content type="html">${escapeHtml(renderMarkup(post.body))}</content>
</entry>`,
).join('\n')}
</feed>
`;

export const DISCOVERY_ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/robots.txt', ({ origin }) => ({ status: 200, type: 'text/plain; charset=utf-8', body: robots(origin) })],
  ['/sitemap.xml', ({ origin, day }) => xml(sitemapIndex(origin, day))],
  ['/sitemaps/docs.xml', ({ origin, day }) => xml(sitemap(origin, docEntries(day)))],
  ['/sitemaps/shop.xml.gz', ({ origin, day }) => xml(gzipSync(sitemap(origin, shopEntries(day))), 'application/gzip')],
  ['/sitemaps/blog.xml', ({ origin }) => xml(sitemap(origin, blogEntries()))],
  ['/blog/feed.xml', ({ origin }) => xml(feed(origin), 'application/atom+xml; charset=utf-8')],
]);
