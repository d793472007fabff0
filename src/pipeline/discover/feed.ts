import { AppError, type ErrorCode } from '../../errors.ts';
import { FeedReader } from './feed-reader.ts';
import { parseJsonFeed } from './json-feed.ts';
import { readText } from './text-source.ts';
import { isFeedRoot } from './xml-reader.ts';
import { XmlScanner } from './xml-scanner.ts';

export interface FeedEntry {
  /** Plain text; empty when the entry has none. */
  title: string;
  id?: string;
  url?: string;
  /** ISO 8601, UTC. */
  published?: string;
  updated?: string;
  author?: string;
  /** HTML, not cleaned. */
  summary?: string;
  content?: string;
  categories: string[];
}

export interface FeedInfo {
  kind: 'rss' | 'atom' | 'json';
  title: string;
  url?: string;
  description?: string;
  language?: string;
  author?: string;
  updated?: string;
}

export interface Feed extends FeedInfo {
  entries: FeedEntry[];
  /** The limit that ended it, if one did; the entries before it stand. */
  problem?: ErrorCode;
}

export interface FeedLimits {
  maxEntries?: number;
  maxBytes?: number;
  timeoutMs?: number;
  contentType?: string;
}

const DEFAULTS = { maxEntries: 10_000, maxBytes: 20 * 1024 * 1024, timeoutMs: 20_000 };

/** RSS, Atom or JSON Feed, well-formed or not. Rejects with PARSE_FAILED when the document is no feed. */
export async function parseFeed(body: Uint8Array, url: string, limits: FeedLimits = {}): Promise<Feed> {
  const bounds = { ...DEFAULTS, ...limits };
  const entries: FeedEntry[] = [];
  let reader: FeedReader | undefined;
  let problem: ErrorCode | undefined;
  const scanner = new XmlScanner(
    {
      onOpen(name, attributes) {
        if (reader === undefined) {
          if (!isFeedRoot(name)) return name === 'html' || name === 'xhtml:html' ? scanner.stop() : undefined;
          reader = new FeedReader(scanner, url, (entry) => {
            if (entries.length < bounds.maxEntries) entries.push(entry);
            else {
              problem = 'LINK_LIMIT';
              scanner.stop();
            }
          });
        }
        reader.onOpen(name, attributes);
      },
      onText: (text) => reader?.onText(text),
      onClose: (name) => reader?.onClose(name),
    },
    { flat: new Set(['item', 'entry']) },
  );

  const source = readText(body, bounds);
  let json: string | undefined;
  while (true) {
    const step = await source.next();
    if (step.done === true) {
      problem ??= step.value;
      break;
    }
    if (json === undefined && reader === undefined && step.value.trimStart().startsWith('{')) json = '';
    if (json === undefined) scanner.write(step.value);
    else json += step.value;
    if (scanner.stopped) {
      await source.return(undefined);
      break;
    }
  }
  if (json !== undefined) return parseJsonFeed(json, url, bounds.maxEntries);
  scanner.end();
  if (reader === undefined) throw new AppError(problem ?? 'PARSE_FAILED', `there is no feed at ${url}`);
  return { ...reader.info(), entries, ...(problem !== undefined && { problem }) };
}
