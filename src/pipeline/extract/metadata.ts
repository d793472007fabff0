import { dateFromUrl, toIsoDate } from './dates.ts';
import { collapse, type Element, textOf } from './dom.ts';
import { hasType, isNode, type JsonLdNode } from './json-ld.ts';
import { firstMeta, type PageHead } from './page-head.ts';
import type { ResolveUrl } from './render/inline.ts';
import type { PageMetadata } from './types.ts';

const ARTICLE_TYPES = /Article|Posting|NewsMedia|Report|Review$|WebPage|Recipe|Event|VideoObject|TechArticle|Question/i;

/** Everything the head of a page and its structured data say about it. */
export function readMetadata(
  head: PageHead,
  nodes: readonly JsonLdNode[],
  url: string,
  resolve: ResolveUrl,
): PageMetadata {
  const works = nodes
    .filter((node) => hasType(node, ARTICLE_TYPES))
    .sort((a, b) => Number(isPage(a)) - Number(isPage(b)));
  const robots = [...(head.metas.get('robots') ?? []), ...(head.metas.get('crawl4r') ?? [])].join(',').toLowerCase();
  const metadata: PageMetadata = {};
  set(
    metadata,
    'description',
    firstMeta(head, 'description', 'og:description', 'twitter:description', 'dc.description') ??
      firstText(works, 'description'),
  );
  set(metadata, 'author', readAuthor(head, works));
  set(metadata, 'publishedAt', readPublished(head, works, url));
  set(metadata, 'modifiedAt', readModified(head, works));
  set(
    metadata,
    'canonicalUrl',
    resolveLink(head, 'canonical', resolve) ?? resolveValue(firstMeta(head, 'og:url'), resolve),
  );
  set(metadata, 'siteName', firstMeta(head, 'og:site_name', 'application-name', 'al:ios:app_name'));
  set(
    metadata,
    'image',
    resolveValue(
      firstMeta(head, 'og:image', 'og:image:url', 'og:image:secure_url', 'twitter:image', 'twitter:image:src'),
      resolve,
    ),
  );
  set(metadata, 'keywords', readKeywords(head));
  set(metadata, 'feeds', readFeeds(head, resolve));
  set(metadata, 'alternates', readAlternates(head, resolve));
  set(metadata, 'openGraph', readOpenGraph(head));
  if (/\b(noindex|none)\b/.test(robots)) metadata.noindex = true;
  if (/\b(nofollow|none)\b/.test(robots)) metadata.nofollow = true;
  return metadata;
}

const isPage = (node: JsonLdNode): boolean => hasType(node, /^WebPage$/);

function set<Key extends keyof PageMetadata>(
  metadata: PageMetadata,
  key: Key,
  value: PageMetadata[Key] | undefined,
): void {
  if (value !== undefined) metadata[key] = value;
}

function firstText(nodes: readonly JsonLdNode[], key: string): string | undefined {
  for (const node of nodes) {
    const value = node[key];
    if (typeof value === 'string' && value.trim() !== '') return collapse(value);
  }
  return undefined;
}

function readAuthor(head: PageHead, works: readonly JsonLdNode[]): string | undefined {
  for (const work of works) {
    const names = namesOf(work.author);
    if (names.length > 0) return names.join(', ');
  }
  for (const key of [
    'author',
    'dc.creator',
    'dcterms.creator',
    'parsely-author',
    'sailthru.author',
    'byl',
    'article:author',
    'citation_author',
  ]) {
    const values = (head.metas.get(key) ?? []).map(cleanAuthor).filter((value) => value !== undefined);
    if (values.length > 0) return [...new Set(values)].slice(0, 5).join(', ');
  }
  return authorFromBody(head.authors);
}

function namesOf(value: unknown): string[] {
  const names = (Array.isArray(value) ? value : [value]).map((entry) =>
    cleanAuthor(typeof entry === 'string' ? entry : isNode(entry) && typeof entry.name === 'string' ? entry.name : ''),
  );
  return [...new Set(names.filter((name) => name !== undefined))].slice(0, 5);
}

function cleanAuthor(value: string): string | undefined {
  const name = collapse(value).replace(/^(?:by|von|par|por|di|door|written by|posted by|author)\s*:?\s+/i, '');
  return name.length < 2 || name.length > 100 || /^https?:|^[\w./-]*\/|@\w+\.\w+$|^@/.test(name) ? undefined : name;
}

function authorFromBody(elements: readonly Element[]): string | undefined {
  const marked = elements.find((element) => element.attribs.itemprop === 'author' || element.attribs.rel === 'author');
  for (const element of marked === undefined ? elements : [marked, ...elements]) {
    const { attribs } = element;
    const fits =
      attribs.itemprop === 'author' ||
      attribs.rel === 'author' ||
      (attribs.itemprop === undefined && /\b(author|byline)(-?name)?\b/i.test(attribs.class ?? ''));
    const name = fits ? cleanAuthor(textOf(element)) : undefined;
    if (name !== undefined && name.split(' ').length <= 6 && !/\d/.test(name)) return name;
  }
  return undefined;
}

const PUBLISHED = [
  'article:published_time', 'og:article:published_time', 'datepublished', 'og:published_time', 'article:published', 'published_time', 'parsely-pub-date', 'sailthru.date', 'dc.date.issued', 'dcterms.issued', 'dcterms.created', 'citation_publication_date', 'citation_date', 'pubdate', 'publishdate', 'publish-date', 'publish_date', 'dc.date', 'dcterms.date', 'article.published', 'date', 'originalpublicationdate', 'created', 'cxenseparse:recs:publishtime', 'rnews:datepublished', 'article_date_original',
]; // biome-ignore format: a list
const MODIFIED = ['article:modified_time', 'og:updated_time', 'datemodified', 'article:modified', 'last-modified', 'lastmod', 'dcterms.modified', 'dc.date.modified', 'modified', 'revised']; // biome-ignore format: a list

function readPublished(head: PageHead, works: readonly JsonLdNode[], url: string): string | undefined {
  const said = firstDate([
    firstText(works, 'datePublished'),
    firstText(works, 'dateCreated'),
    firstText(works, 'uploadDate'),
    ...PUBLISHED.map((name) => firstMeta(head, name)),
  ]);
  if (said !== undefined) return said;
  const marked = head.authors.filter((element) => /datePublished/i.test(element.attribs.itemprop ?? ''));
  const times = head.times.filter(
    (time) =>
      time.attribs.pubdate !== undefined || /publish|entry-date|post-date|dt-published/i.test(time.attribs.class ?? ''),
  );
  return firstDate([...marked, ...times, ...head.times.slice(0, 1)].map(dateOf)) ?? dateFromUrl(url);
}

function readModified(head: PageHead, works: readonly JsonLdNode[]): string | undefined {
  const marked = head.authors.filter((element) => /dateModified/i.test(element.attribs.itemprop ?? ''));
  const times = head.times.filter((time) => /updated|modified/i.test(time.attribs.class ?? ''));
  return firstDate([
    firstText(works, 'dateModified'),
    ...MODIFIED.map((name) => firstMeta(head, name)),
    ...[...marked, ...times].map(dateOf),
  ]);
}

const dateOf = (element: Element): string | undefined =>
  element.attribs.datetime ?? element.attribs.content ?? textOf(element);

function firstDate(values: readonly (string | undefined)[]): string | undefined {
  for (const value of values) {
    const date = value === undefined ? undefined : toIsoDate(value);
    if (date !== undefined) return date;
  }
  return undefined;
}

function readKeywords(head: PageHead): string[] | undefined {
  const raw = [...(head.metas.get('keywords') ?? []), ...(head.metas.get('article:tag') ?? [])].join(',');
  const words = [
    ...new Set(
      raw
        .split(/[,;]/)
        .map(collapse)
        .filter((word) => word !== ''),
    ),
  ].slice(0, 50);
  return words.length === 0 ? undefined : words;
}

const rels = (element: Element): string[] => (element.attribs.rel ?? '').toLowerCase().split(/\s+/);

function resolveLink(head: PageHead, rel: string, resolve: ResolveUrl): string | undefined {
  return resolveValue(head.links.find((link) => rels(link).includes(rel))?.attribs.href, resolve);
}

/** The canonical address; a page that names two contradicts itself and has none. */
export function readCanonical(head: PageHead, resolve: ResolveUrl): { canonical?: string } {
  const named = new Set(
    head.links.flatMap((link) =>
      rels(link).includes('canonical') ? (resolveValue(link.attribs.href, resolve) ?? []) : [],
    ),
  );
  const [canonical] = named;
  return canonical === undefined || named.size > 1 ? {} : { canonical };
}

const resolveValue = (value: string | undefined, resolve: ResolveUrl): string | undefined =>
  value === undefined || value === '' ? undefined : resolve(value);

function readFeeds(head: PageHead, resolve: ResolveUrl): string[] | undefined {
  const feeds = new Set<string>();
  for (const link of head.links) {
    if (!rels(link).includes('alternate') || !/rss|atom|feed\+json/i.test(link.attribs.type ?? '')) continue;
    const url = resolveValue(link.attribs.href, resolve);
    if (url !== undefined) feeds.add(url);
  }
  return feeds.size === 0 ? undefined : [...feeds];
}

function readAlternates(head: PageHead, resolve: ResolveUrl): { language: string; url: string }[] | undefined {
  const alternates: { language: string; url: string }[] = [];
  for (const link of head.links) {
    const language = link.attribs.hreflang;
    const url =
      language !== undefined && rels(link).includes('alternate') ? resolveValue(link.attribs.href, resolve) : undefined;
    if (language !== undefined && url !== undefined && alternates.length < 200) alternates.push({ language, url });
  }
  return alternates.length === 0 ? undefined : alternates;
}

function readOpenGraph(head: PageHead): Record<string, string> | undefined {
  const graph: Record<string, string> = {};
  for (const [name, [value]] of head.metas)
    if (name.startsWith('og:') && value !== undefined) graph[name.slice(3)] = value;
  return Object.keys(graph).length === 0 ? undefined : graph;
}
