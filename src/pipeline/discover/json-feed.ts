import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { parseDate } from './date.ts';
import type { Feed, FeedEntry } from './feed.ts';
import { escapeHtml } from './xml-entities.ts';
import { resolveHref } from './xml-reader.ts';

const text = z.string().optional().catch(undefined);
const Author = z.object({ name: text }).optional().catch(undefined);
const Item = z.object({
  id: z.union([z.string(), z.number()]).transform(String).optional().catch(undefined),
  url: text,
  external_url: text,
  title: text,
  summary: text,
  content_html: text,
  content_text: text,
  date_published: text,
  date_modified: text,
  author: Author,
  authors: z.array(Author).optional().catch(undefined),
  tags: z.array(z.string()).catch([]).default([]),
});
const Document = z.object({
  version: z.string().startsWith('https://jsonfeed.org/version/'),
  title: text,
  home_page_url: text,
  description: text,
  language: text,
  items: z.array(z.unknown()).catch([]).default([]),
});

/** https://www.jsonfeed.org: fields of the wrong type are left out, the rest stands. */
export function parseJsonFeed(body: string, url: string, maxEntries: number): Feed {
  const document = Document.safeParse(parse(body));
  if (!document.success) throw new AppError('PARSE_FAILED', `there is no feed at ${url}`);
  const { title, home_page_url: home, description, language, items } = document.data;
  const entries = items.slice(0, maxEntries).flatMap((item) => {
    const parsed = Item.safeParse(item);
    return parsed.success ? [toEntry(parsed.data, url)] : [];
  });
  const page = resolveHref(home ?? '', url);
  return {
    kind: 'json',
    title: title ?? '',
    ...(page !== undefined && { url: page }),
    ...(description !== undefined && { description }),
    ...(language !== undefined && { language }),
    entries,
    ...(items.length > maxEntries && { problem: 'LINK_LIMIT' as const }),
  };
}

function toEntry(item: z.infer<typeof Item>, base: string): FeedEntry {
  const url = resolveHref(item.url ?? item.external_url ?? '', base);
  const published = parseDate(item.date_published ?? '');
  const updated = parseDate(item.date_modified ?? '');
  const names = [...(item.authors ?? []), item.author].flatMap((author) => author?.name ?? []);
  const content = item.content_html ?? (item.content_text === undefined ? undefined : escapeHtml(item.content_text));
  const id = item.id ?? url;
  return {
    title: item.title ?? '',
    ...(id !== undefined && { id }),
    ...(url !== undefined && { url }),
    ...(published !== undefined && { published }),
    ...(updated !== undefined && { updated }),
    ...(names.length > 0 && { author: [...new Set(names)].join(', ') }),
    ...(item.summary !== undefined && { summary: item.summary }),
    ...(content !== undefined && { content }),
    categories: item.tags.slice(0, 50),
  };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
