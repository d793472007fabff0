import { decodeBody } from '../charset.ts';
import { completePage, nameFromUrl } from '../complete-page.ts';
import { toIsoDate } from '../dates.ts';
import { readLanguage } from '../language.ts';
import { createResolver } from '../links.ts';
import type { ExtractedPage, Heading, Link, PageMetadata, RawPage } from '../types.ts';

const MAX_LINKS = 1_000;

/** A Markdown file: the source is the Markdown; front matter gives its metadata. */
export async function extractMarkdown(raw: RawPage): Promise<ExtractedPage> {
  const { text: decoded, charset } = decodeBody(raw.body, raw.contentType);
  const { fields, body } = splitFrontMatter(decoded.replaceAll('\r\n', '\n'));
  const markdown = body.trim();
  const prose = markdown.replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, '');
  const headings = readHeadings(prose);
  const text = toText(markdown);
  return completePage({
    title: fields.title ?? headings[0]?.text ?? nameFromUrl(raw.url),
    markdown,
    text,
    language: fields.language ?? fields.lang ?? (await readLanguage(undefined, text)),
    kind: 'documentation',
    metadata: { ...readFields(fields), charset },
    headings,
    links: readLinks(prose, raw.url),
  });
}

function splitFrontMatter(source: string): { fields: Record<string, string>; body: string } {
  const found = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(source);
  if (found === null) return { fields: {}, body: source };
  const fields: Record<string, string> = {};
  for (const [, key, value] of found[1]!.matchAll(/^([A-Za-z_][\w-]*):[ \t]*(.*)$/gm)) {
    const text = value!.trim().replace(/^(["'])(.*)\1$/, '$2');
    if (text !== '') fields[key!.toLowerCase()] = text;
  }
  return { fields, body: source.slice(found[0].length) };
}

function readFields(fields: Record<string, string>): PageMetadata {
  const metadata: PageMetadata = {};
  const published = toIsoDate(fields.date ?? '');
  const modified = toIsoDate(fields.updated ?? fields.lastmod ?? '');
  if (fields.description !== undefined) metadata.description = fields.description;
  if (fields.author !== undefined) metadata.author = fields.author;
  if (published !== undefined) metadata.publishedAt = published;
  if (modified !== undefined) metadata.modifiedAt = modified;
  return metadata;
}

function readHeadings(prose: string): Heading[] {
  const headings: Heading[] = [];
  for (const [, marks, text] of prose.matchAll(/^(#{1,6})[ \t]+(.+?)[ \t#]*$/gm))
    headings.push({ level: marks!.length, text: inlineToText(text!) });
  return headings.slice(0, 500);
}

function readLinks(prose: string, url: string): Link[] {
  const resolve = createResolver(url, undefined);
  const links = new Map<string, Link>();
  for (const [, text, href] of prose.matchAll(/(?<!!)\[([^\]]*)\]\(\s*<?([^\s)>]+)/g)) {
    const target = href!.startsWith('#') ? undefined : resolve(href!)?.split('#', 1)[0];
    if (target !== undefined && !links.has(target) && links.size < MAX_LINKS)
      links.set(target, { url: target, text: inlineToText(text!), rel: '' });
  }
  return [...links.values()];
}

/** Marks go, words stay; code keeps its lines. */
function toText(markdown: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true) fence = undefined;
      else lines.push(line);
    } else if (mark !== undefined) fence = mark;
    else if (!/^[ \t]*\|?(?:[ \t]*:?-{3,}:?[ \t]*\|?)+[ \t]*$/.test(line))
      lines.push(
        inlineToText(line.replace(/^\s{0,3}(?:#{1,6}[ \t]+|>[ \t]?)/, '').replace(/^([ \t]*)[-*+][ \t]+/, '$1')),
      );
  }
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function inlineToText(line: string): string {
  return line
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|~~)(.+?)\1/g, '$2')
    .replace(/(?<![\w*])[*_](\S(?:.*?\S)?)[*_](?![\w*])/g, '$1')
    .replace(/`+([^`]+)`+/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+.!<>~|-])/g, '$1');
}
