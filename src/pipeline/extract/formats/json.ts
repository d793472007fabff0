import { AppError } from '../../../errors.ts';
import { decodeBody } from '../charset.ts';
import { completePage, nameFromUrl } from '../complete-page.ts';
import { readLanguage } from '../language.ts';
import type { ExtractedPage, RawPage } from '../types.ts';
import { extractFeed } from './feed.ts';

const MAX_CHARACTERS = 2_000_000;

/** A JSON document: a feed if it says so, else its values as text and itself, indented, as Markdown. */
export async function extractJson(raw: RawPage): Promise<ExtractedPage> {
  const { text: source, charset } = decodeBody(raw.body, raw.contentType);
  const value = parse(source);
  if (isObject(value) && typeof value.version === 'string' && value.version.includes('jsonfeed.org'))
    return extractFeed(raw);
  const text = listValues(value).join('\n');
  const indented = JSON.stringify(value, undefined, 2).slice(0, MAX_CHARACTERS);
  const name = isObject(value) ? (value.title ?? value.name) : undefined;
  return completePage({
    title: typeof name === 'string' && name.length < 200 ? name : nameFromUrl(raw.url),
    markdown: `\`\`\`json\n${indented}\n\`\`\``,
    text,
    language: await readLanguage(undefined, text),
    metadata: { charset },
  });
}

function parse(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    // JSON Lines: one value a line.
  }
  try {
    return source
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line): unknown => JSON.parse(line));
  } catch (cause) {
    throw new AppError('PARSE_FAILED', 'the document is not JSON', { cause });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `key: value` for every value that is not itself a list or an object, in order. */
function listValues(root: unknown): string[] {
  const lines: string[] = [];
  const stack: [string, unknown][] = [['', root]];
  let length = 0;
  for (let next = stack.pop(); next !== undefined && length < MAX_CHARACTERS; next = stack.pop()) {
    const [key, value] = next;
    if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value);
      const entries = Object.entries(value);
      for (let index = entries.length - 1; index >= 0; index--)
        stack.push([isList ? key : entries[index]![0], entries[index]![1]]);
    } else if (value !== null && value !== '') {
      const line = key === '' ? String(value) : `${key}: ${String(value)}`;
      length += line.length;
      lines.push(line);
    }
  }
  return lines;
}
