/**
 * Main content against public test sets: `node eval/extraction.ts <corpora> [--pages N]`, where the folder holds
 * `scoring.mjs`, `extraction/aeb` and `extraction/trafilatura`. Readability and defuddle (both on linkedom) read the same
 * pages in the same run. Ends with one JSON line: scores of each, and CPU time a page after one pass to warm up.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { Readability } from '@mozilla/readability';
import { Defuddle } from 'defuddle/node';
import { parseHTML } from 'linkedom';
import { decodeBody } from '../src/pipeline/extract/charset.ts';
import { buildBoxes } from '../src/pipeline/extract/content/box.ts';
import { parseHtml } from '../src/pipeline/extract/dom.ts';
import { extractPage } from '../src/pipeline/extract/extract-page.ts';
import { renderText } from '../src/pipeline/extract/render/text.ts';

interface Score {
  f1: number;
  precision: number;
  recall: number;
}
interface Scoring {
  aebScore(gold: Record<string, Gold>, found: Record<string, string>): Score;
  trafilaturaScore(items: readonly Case[], found: Record<string, string>): Score;
}
interface Gold {
  articleBody: string;
  url: string;
}
interface Case {
  id: string;
  url: string;
  file: string;
}
interface Page {
  id: string;
  url: string;
  body: Buffer;
}

const [folder, flag, count] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node eval/extraction.ts <corpora> [--pages N]');
const limit = flag === '--pages' ? Number(count) : Number.POSITIVE_INFINITY;
const scoring = (await import(pathToFileURL(resolve(folder, 'scoring.mjs')).href)) as Scoring;

const readJson = (...path: string[]): unknown => JSON.parse(readFileSync(join(folder, 'extraction', ...path), 'utf8'));
const readGzip = (...path: string[]): Buffer => gunzipSync(readFileSync(join(folder, 'extraction', ...path)));

const gold = Object.fromEntries(
  Object.entries(readJson('aeb', 'ground-truth.json') as Record<string, Gold>).slice(0, limit),
);
const cases = (readJson('trafilatura', 'cases.json') as Case[]).slice(0, limit);
const sets: Record<string, Page[]> = {
  aeb: Object.entries(gold).map(([id, { url }]) => ({ id, url, body: readGzip('aeb', 'html', `${id}.html.gz`) })),
  trafilatura: cases.map(({ id, url, file }) => ({ id, url, body: readGzip('trafilatura', 'html', file) })),
};

/** Each reads a page from its bytes; what only the comparison needs (`text`) is not timed. */
const readers: Record<string, (page: Page) => Promise<() => string>> = {
  async crawl4r({ url, body }) {
    const { text } = await extractPage({ url, contentType: 'text/html', body });
    return () => text;
  },
  async readability({ body }) {
    const { document } = parseHTML(decodeBody(body).text);
    const article = new Readability(document as never).parse();
    return () => blockText(article?.content ?? '');
  },
  async defuddle({ url, body }) {
    const { document } = parseHTML(decodeBody(body).text);
    const { content } = await Defuddle(document as never, url, { useAsync: false });
    return () => blockText(content);
  },
};

const blockText = (html: string): string => renderText(buildBoxes(parseHtml(html)));

const found = Object.fromEntries(
  Object.keys(readers).map((name) => [name, { aeb: {}, trafilatura: {} } as Record<string, Record<string, string>>]),
);
const cpu: Record<string, number> = {};
let pages = 0;
// The libraries talk on the console about pages they stumble over.
const { log, warn, error } = console;
console.log = console.warn = console.error = () => {};
for (const pass of ['warm-up', 'timed']) {
  for (const [set, list] of Object.entries(sets)) {
    for (const page of list) {
      if (pass === 'timed') pages++;
      for (const [name, read] of Object.entries(readers)) {
        const before = process.cpuUsage();
        const text = await read(page).catch(() => () => '');
        const { user, system } = process.cpuUsage(before);
        if (pass === 'warm-up') continue;
        cpu[name] = (cpu[name] ?? 0) + (user + system) / 1000;
        found[name]![set]![page.id] = text();
      }
    }
  }
}
Object.assign(console, { log, warn, error });

const round = (value: number, digits: number): number => Number(value.toFixed(digits));
const short = ({ f1, precision, recall }: Score) => ({
  f1: round(f1, 4),
  precision: round(precision, 4),
  recall: round(recall, 4),
});
console.log(
  JSON.stringify({
    eval: 'extraction',
    pages,
    ...Object.fromEntries(
      Object.keys(readers).map((name) => [
        name,
        {
          aeb: short(scoring.aebScore(gold, found[name]!.aeb!)),
          trafilatura: short(scoring.trafilaturaScore(cases, found[name]!.trafilatura!)),
          cpu_ms_per_page: round(cpu[name]! / pages, 2),
          cpu_of_readability: round(cpu[name]! / cpu.readability!, 3),
        },
      ]),
    ),
  }),
);
