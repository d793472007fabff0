import { findLinks, unimage, unlink } from '../../../text/markdown-links.ts';
import { stripEnd } from '../../../text/strip-end.ts';
import { decodeBody } from '../charset.ts';
import { completePage, nameFromUrl } from '../complete-page.ts';
import { toIsoDate } from '../dates.ts';
import { readLanguage } from '../language.ts';
import { createResolver, LinkList } from '../links.ts';
import type { ExtractedPage, ExtractOptions, Heading, PageMetadata, RawPage } from '../types.ts';

const MAX_HEADINGS = 500;

/** A Markdown file: the source is the Markdown; front matter gives its metadata. */
export async function extractMarkdown(raw: RawPage, options: ExtractOptions = {}): Promise<ExtractedPage> {
  const { text: decoded, charset } = decodeBody(raw.body, raw.contentType);
  const { fields, body } = splitFrontMatter(decoded.replaceAll('\r\n', '\n'));
  const markdown = body.trim();
  const { prose, text } = readLines(markdown);
  const headings = readHeadings(prose);
  return completePage({
    title: fields.title ?? headings[0]?.text ?? nameFromUrl(raw.url),
    markdown,
    text,
    language: fields.language ?? fields.lang ?? (await readLanguage(undefined, text)),
    kind: 'documentation',
    metadata: { ...readFields(fields), charset },
    headings,
    ...readLinks(prose.join('\n'), raw.url, options.maxLinks),
  });
}

function splitFrontMatter(source: string): { fields: Record<string, string>; body: string } {
  const found = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(source);
  if (found === null) return { fields: {}, body: source };
  const fields: Record<string, string> = {};
  for (const [, key, value] of found[1]!.matchAll(/^([A-Za-z_][\w-]*):(.*)$/gm)) {
    const text = unquote(value!.trim());
    if (text !== '') fields[key!.toLowerCase()] = text;
  }
  return { fields, body: source.slice(found[0].length) };
}

function unquote(value: string): string {
  const quoted = value.length > 1 && /^["']/.test(value) && value.endsWith(value[0]!);
  return quoted ? value.slice(1, -1) : value;
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

/** The lines outside of code, and all lines as text: marks go, words stay; code keeps its lines. */
function readLines(markdown: string): { prose: string[]; text: string } {
  const prose: string[] = [];
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true) fence = undefined;
      else lines.push(line);
    } else if (mark !== undefined) fence = mark;
    else {
      prose.push(line);
      if (!isRule(line)) lines.push(lineToText(line));
    }
  }
  const text = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return { prose, text };
}

/** A line across the page, or the one under a table's head. */
const isRule = (line: string): boolean => line.includes('---') && /^[ \t|:-]*$/.test(line);

const lineToText = (line: string): string =>
  inlineToText(line.replace(/^\s{0,3}(?:#{1,6}[ \t]+|>[ \t]?)/, '').replace(/^([ \t]*)[-*+][ \t]+/, '$1'));

function readHeadings(prose: readonly string[]): Heading[] {
  const headings: Heading[] = [];
  for (const line of prose) {
    const found = /^(#{1,6})[ \t](.*)$/.exec(line);
    const text = found === null ? '' : inlineToText(stripEnd(found[2]!.trim(), /[ \t#]/));
    if (text !== '' && headings.length < MAX_HEADINGS) headings.push({ level: found![1]!.length, text });
  }
  return headings;
}

function readLinks(prose: string, url: string, max: number | undefined) {
  const resolve = createResolver(url, undefined);
  const links = new LinkList(max);
  for (const { label, target } of findLinks(unimage(prose))) {
    const href = /^<?([^\s>]+)/.exec(target.trim())?.[1];
    const address = href === undefined || href.startsWith('#') ? undefined : resolve(href)?.split('#', 1)[0];
    if (address !== undefined) links.add(address, '', () => inlineToText(label));
  }
  return links.read();
}

function inlineToText(line: string): string {
  let text = unlink(line);
  for (const mark of ['**', '__', '~~']) text = dropPairs(text, mark);
  return dropTicks(dropEmphasis(text)).replace(/\\([\\`*_{}[\]()#+.!<>~|-])/g, '$1');
}

/** A mark that opens and one that closes go together; one that is left over stays. */
function dropPairs(text: string, mark: string): string {
  const parts = text.split(mark);
  if (parts.length < 3) return text;
  const last = parts.length % 2 === 0 ? mark + parts.pop()! : '';
  return parts.join('') + last;
}

function dropTicks(text: string): string {
  const runs = text.match(/`+/g)?.length ?? 0;
  const paired = runs - (runs % 2);
  let at = 0;
  return paired === 0 ? text : text.replace(/`+/g, (run) => (++at <= paired ? '' : run));
}

/** `*words*` and `_words_`, but not the star of a product or the dashes of a_long_name: one pass, one mark open at a time. */
function dropEmphasis(line: string): string {
  let text = '';
  let from = 0;
  let open = -1;
  for (const { index } of line.matchAll(/[*_]/g)) {
    const [before, after] = [line[index - 1] ?? ' ', line[index + 1] ?? ' '];
    if (open >= 0 && index > open + 1 && /\S/.test(before) && !/[\w*]/.test(after)) {
      text += line.slice(from, open) + line.slice(open + 1, index);
      from = index + 1;
      open = -1;
    } else if (open < 0 && !/[\w*]/.test(before) && /\S/.test(after)) open = index;
  }
  return text + line.slice(from);
}
