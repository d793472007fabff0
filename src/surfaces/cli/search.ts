import type { SearchResponse, SearchResult } from '../../operations/search-schema.ts';
import { readArguments, readChoice, readNumber } from './arguments.ts';
import { connect } from './connect.ts';
import { plain, print, printJson, talk } from './terminal.ts';

const USAGE = 'search QUERY [--limit N] [--mode hybrid|vector|keyword] [--json]';
const SNIPPET = 300;

const PATHS = { hybrid: '/search', vector: '/search/vector', keyword: '/search/keyword' };

/** `crawl4r search QUERY`: the best passages, each with where it comes from. */
export async function run(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values, positionals } = readArguments(args, USAGE, { limit: text, mode: text }, { min: 1, max: 100 });
  const mode = readChoice(values, 'mode', ['hybrid', 'vector', 'keyword']) ?? 'hybrid';
  const limit = readNumber(values, 'limit', 1) ?? 10;
  await using api = await connect();
  const answer = await api.call<SearchResponse>('POST', PATHS[mode], { query: positionals.join(' '), limit });
  if (values.json === true) return printJson(answer);
  for (const [at, hit] of answer.results.entries()) {
    const where = [hit.url, hit.heading_path.join(' › ')].filter((part) => part !== '').join('  ');
    await print(`${at + 1}. ${plain(hit.title ?? hit.url)}\n   ${plain(where)}\n   ${snippet(hit)}\n`);
  }
  if (answer.degraded) talk(`part of the engine does not answer: ${answer.degraded_reason}`);
  talk(`${answer.results.length} passages, ${answer.mode}, ${Math.round(answer.latency_ms)} ms`);
}

/** The passage around its first match, with matches in bold where the terminal can show it. */
function snippet({ content, highlights }: SearchResult): string {
  const first = highlights[0]?.[0] ?? 0;
  const from = Math.max(0, first - 80);
  const to = Math.min(content.length, from + SNIPPET);
  const [on, off] = process.stdout.isTTY ? ['\u001b[1m', '\u001b[22m'] : ['', ''];
  let out = from > 0 ? '…' : '';
  let at = from;
  for (const [start, end] of highlights) {
    if (start < at || end > to) continue;
    out += `${plain(content.slice(at, start))}${on}${plain(content.slice(start, end))}${off}`;
    at = end;
  }
  return `${out}${plain(content.slice(at, to))}${to < content.length ? '…' : ''}`.replace(/\s+/g, ' ');
}
