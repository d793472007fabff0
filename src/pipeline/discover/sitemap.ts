import type { ErrorCode } from '../../errors.ts';
import { FeedReader } from './feed-reader.ts';
import { SitemapReader } from './sitemap-reader.ts';
import { readText } from './text-source.ts';
import { isFeedRoot, resolveLocation, type XmlReader } from './xml-reader.ts';
import { XmlScanner } from './xml-scanner.ts';

export type ChangeFrequency = 'always' | 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly' | 'never';

export interface SitemapEntry {
  /** `sitemap`: a further sitemap to read; `url`: a page. */
  type: 'url' | 'sitemap';
  url: string;
  /** ISO 8601, UTC. */
  lastModified?: string;
  changeFrequency?: ChangeFrequency;
  /** 0 to 1. */
  priority?: number;
  /** Known for feeds and news. */
  title?: string;
  alternates?: { language: string; url: string }[];
}

export interface SitemapLimits {
  maxEntries?: number;
  maxBytes?: number;
  timeoutMs?: number;
  contentType?: string;
}

export interface SitemapSummary {
  kind: 'urlset' | 'index' | 'feed' | 'text' | 'unknown';
  count: number;
  /** The limit that ended it, if one did; the entries before it stand. */
  problem?: ErrorCode;
}

const DEFAULTS = { maxEntries: 50_000, maxBytes: 52_428_800, timeoutMs: 20_000 };
const MAX_LINE = 8_192;

/**
 * Entries of a sitemap, a sitemap index, a text sitemap or a feed, zipped or not, as they are read. Takes ill-formed
 * ones as far as they can be understood and never rejects: the summary, its return value, says what it was.
 */
export async function* readSitemap(
  body: Uint8Array,
  url: string,
  limits: SitemapLimits = {},
): AsyncGenerator<SitemapEntry, SitemapSummary> {
  const bounds = { ...DEFAULTS, ...limits };
  const source = readText(body, bounds);
  let parser: EntryParser | undefined;
  let head = '';
  let count = 0;
  while (true) {
    const step = await source.next();
    const last = step.done === true;
    if (parser === undefined) {
      if (!last) head += step.value;
      // A few hundred characters are enough to distinguish XML from text.
      if (!last && head.trimStart().length < 512) continue;
      parser = createParser(head, url);
      parser.write(head);
    } else if (!last) parser.write(step.value);
    if (last) parser.end();
    for (const entry of parser.take()) {
      if (count >= bounds.maxEntries) {
        await source.return(undefined);
        return { kind: parser.kind(), count, problem: 'LINK_LIMIT' };
      }
      count++;
      yield entry;
    }
    if (last) return { kind: parser.kind(), count, ...(step.value !== undefined && { problem: step.value }) };
    if (parser.finished()) {
      await source.return(undefined);
      return { kind: parser.kind(), count };
    }
  }
}

/** All entries at once. */
export async function parseSitemap(
  body: Uint8Array,
  url: string,
  limits: SitemapLimits = {},
): Promise<SitemapSummary & { entries: SitemapEntry[] }> {
  const entries: SitemapEntry[] = [];
  const reading = readSitemap(body, url, limits);
  while (true) {
    const step = await reading.next();
    if (step.done === true) return { ...step.value, entries };
    entries.push(step.value);
  }
}

interface EntryParser {
  write(text: string): void;
  end(): void;
  take(): SitemapEntry[];
  kind(): SitemapSummary['kind'];
  /** True when nothing of use can follow. */
  finished(): boolean;
}

/** Some servers print warnings before the XML; a text sitemap has addresses at the start of its lines. */
const createParser = (head: string, url: string): EntryParser =>
  /^\s*</.test(head) || /<(?:\?xml|[\w:]*urlset|[\w:]*sitemapindex|rss|feed)\b/i.test(head)
    ? createXmlParser(url)
    : createLineParser(url);

function createXmlParser(url: string): EntryParser {
  const found: SitemapEntry[] = [];
  let reader: XmlReader | undefined;
  let kind: SitemapSummary['kind'] = 'unknown';
  const scanner = new XmlScanner(
    {
      onOpen(name, attributes) {
        if (reader === undefined) {
          if (name === 'html' || name === 'xhtml:html') return scanner.stop();
          if (isFeedRoot(name)) {
            kind = 'feed';
            reader = new FeedReader(scanner, url, (entry) => {
              if (entry.url === undefined) return;
              const lastModified = entry.updated ?? entry.published;
              found.push({
                type: 'url',
                url: entry.url,
                ...(lastModified !== undefined && { lastModified }),
                ...(entry.title !== '' && { title: entry.title }),
              });
            });
          } else
            reader = new SitemapReader(scanner, url, (entry) => {
              kind = entry.type === 'sitemap' ? 'index' : kind === 'index' ? kind : 'urlset';
              found.push(entry);
            });
          if (name === 'urlset') kind = 'urlset';
          if (name === 'sitemapindex') kind = 'index';
        }
        reader.onOpen(name, attributes);
      },
      onText: (text) => reader?.onText(text),
      onClose: (name) => reader?.onClose(name),
    },
    { flat: new Set(['url', 'sitemap', 'item', 'entry']) },
  );
  return {
    write: (text) => scanner.write(text),
    end: () => scanner.end(),
    take: () => found.splice(0),
    kind: () => kind,
    finished: () => scanner.stopped,
  };
}

function createLineParser(base: string): EntryParser {
  const found: SitemapEntry[] = [];
  let rest = '';
  let any = false;
  const line = (text: string) => {
    const value = text.trim();
    const url = /^(?:https?:\/\/|www\.)/i.test(value) ? resolveLocation(value, base) : undefined;
    if (url === undefined) return;
    any = true;
    found.push({ type: 'url', url });
  };
  return {
    write(text) {
      const lines = (rest + text).split(/\r\n|\r|\n/);
      rest = lines.pop()!.slice(0, MAX_LINE + 1);
      for (const each of lines) line(each);
    },
    end() {
      line(rest);
      rest = '';
    },
    take: () => found.splice(0),
    kind: () => (any ? 'text' : 'unknown'),
    finished: () => false,
  };
}
