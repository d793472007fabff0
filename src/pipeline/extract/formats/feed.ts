import { parseFeed } from '../../discover/feed.ts';
import { completePage } from '../complete-page.ts';
import { buildBoxes } from '../content/box.ts';
import { parseHtml } from '../dom.ts';
import { readLanguage } from '../language.ts';
import { createResolver } from '../links.ts';
import { escapeText } from '../render/inline.ts';
import { renderMarkdown } from '../render/markdown.ts';
import { renderText } from '../render/text.ts';
import type { ExtractedPage, Link, PageMetadata, RawPage } from '../types.ts';

const MAX_ENTRIES = 500;

/** A feed as one document: a section an entry, newest as the feed has them. */
export async function extractFeed(raw: RawPage): Promise<ExtractedPage> {
  const limits = raw.contentType === undefined ? {} : { contentType: raw.contentType };
  const feed = await parseFeed(raw.body, raw.url, { ...limits, maxEntries: MAX_ENTRIES });
  const markdown: string[] = [];
  const text: string[] = [];
  const links: Link[] = [];
  for (const entry of feed.entries) {
    const root = buildBoxes(parseHtml(entry.content ?? entry.summary ?? ''));
    const title = entry.title === '' ? (entry.url ?? '') : entry.title;
    const heading = escapeText(title).replaceAll('\n', ' ');
    markdown.push(entry.url === undefined ? `## ${heading}` : `## [${heading}](${entry.url})`);
    markdown.push(renderMarkdown(root, createResolver(entry.url ?? raw.url, undefined)));
    text.push(title, renderText(root));
    if (entry.url !== undefined) links.push({ url: entry.url, text: title, rel: '' });
  }
  const body = join(text);
  const metadata: PageMetadata = {};
  if (feed.description !== undefined) metadata.description = feed.description;
  if (feed.author !== undefined) metadata.author = feed.author;
  if (feed.updated !== undefined) metadata.modifiedAt = feed.updated;
  return completePage({
    title: feed.title,
    markdown: join(markdown),
    text: body,
    language: feed.language?.slice(0, 2).toLowerCase() ?? (await readLanguage(undefined, body)),
    kind: 'listing',
    metadata,
    headings: feed.entries.filter((entry) => entry.title !== '').map((entry) => ({ level: 2, text: entry.title })),
    links: [...new Map(links.map((link) => [link.url, link])).values()],
  });
}

const join = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');
