import type { Client, SearchResult } from '../../../clients/typescript/src/index.ts';
import { readArguments, readChoice, readNumber } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { connect } from './connect.ts';
import { counted, plain, print, printJson, talk } from './terminal.ts';

const USAGE = usageOf('search');
const SNIPPET = 300;

const METHODS = { hybrid: 'search', vector: 'searchByVector', keyword: 'searchByKeyword' } as const;

/** `crawl4r search QUERY`: the best passages, each with where it comes from. */
export async function run(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values, positionals } = readArguments(
    args,
    USAGE,
    { limit: text, mode: text, domain: text, collection: text, tag: text, explain: { type: 'boolean' } },
    { min: 1, max: 100 },
  );
  const list = (name: string) => values[name]?.toString().split(',');
  const mode = readChoice(values, 'mode', ['hybrid', 'vector', 'keyword']) ?? 'hybrid';
  const limit = readNumber(values, 'limit', 1) ?? 10;
  await using api = await connect();
  const { client } = api;
  const answer = await client.search[METHODS[mode]]({
    query: positionals.join(' '),
    limit,
    domains: list('domain'),
    collection_ids: list('collection'),
    tags: list('tag'),
    explain: values.explain === true,
  });
  if (values.json === true) return printJson(answer);
  for (const [at, hit] of answer.results.entries()) {
    const where = [hit.url, hit.heading_path.join(' › ')].filter((part) => part !== '').join('  ');
    const lines = [`${at + 1}. ${plain(hit.title ?? hit.url)}`, plain(where), snippet(hit)];
    if (hit.duplicate_count > 0) lines.push(`and ${counted(hit.duplicate_count, 'document')} nearly the same`);
    if (values.explain === true) lines.push(scores(hit));
    await print(`${lines.join('\n   ')}\n`);
  }
  if (answer.explain !== undefined) talk(`explain: ${JSON.stringify(answer.explain)}`);
  if (answer.degraded) talk(`part of what was asked could not be done: ${answer.degraded_reason}`);
  if (answer.results.length === 0) talk(await sayWhyNothing(client));
  talk(`${counted(answer.results.length, 'passage')}, ${answer.mode}, ${Math.round(answer.latency_ms)} ms`);
}

/** No hits have three possible reasons, each with its own hint. */
async function sayWhyNothing(client: Client): Promise<string> {
  const { chunks, waiting_text } = await client.search.getIndexProgress();
  if (waiting_text > 0)
    return `${counted(waiting_text, 'document is', 'documents are')} still being indexed: try again soon`;
  if (chunks === 0) return 'there is nothing to search yet: crawl4r crawl URL fetches a site';
  return 'nothing matches: try fewer or other words, or fewer filters';
}

function scores({ score, vector_rank, vector_score, keyword_rank, keyword_score, rerank_score }: SearchResult): string {
  const engine = (name: string, rank: number | null, value: number | null) =>
    value === null ? `${name} none` : `${name} #${rank} ${value.toFixed(3)}`;
  return [
    `score ${score.toFixed(3)}`,
    engine('vector', vector_rank, vector_score),
    engine('keyword', keyword_rank, keyword_score),
    ...(rerank_score === null ? [] : [`rerank ${rerank_score.toFixed(3)}`]),
  ].join(', ');
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
