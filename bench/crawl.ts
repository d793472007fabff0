import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureIndexing } from './crawl-indexing.ts';
import { type PeerFigures, runPeerProcess } from './run-peer.ts';
import { startSite } from './start-process.ts';

/**
 * Crawl speed: crawl4r, Crawlee's CheerioCrawler and a bare loop over the same site, one after the other. Where a machine is
 * faster in one minute than in the next, several rounds are more reliable: each figure is then the median of its rounds, and each
 * ratio that of the ratios within a round.
 *
 *   --pages N      size of the site (5000)
 *   --rounds N     how often each of them crawls it (1)
 *   --only NAMES   some of ours, crawlee, bare
 *   --indexing     instead: ours alone, and beside a full index queue of --documents (300)
 *
 * The last line is one JSON object; what happens meanwhile goes to standard error.
 */
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '1' },
    only: { type: 'string', default: 'ours,crawlee,bare' },
    indexing: { type: 'boolean', default: false },
    documents: { type: 'string', default: '300' },
    json: { type: 'boolean', default: false },
  },
});
const pages = Number(values.pages);
const wanted = values.only.split(',');

await using site = await startSite(['--pages', values.pages]);
const origin = site.ready.origins[0]!;
console.error(`site: ${pages} pages of ${site.ready.bytes_per_page} bytes at ${origin}`);

if (values.indexing) {
  console.log(JSON.stringify(measureIndexing(origin, pages, Number(values.documents), Number(values.rounds))));
  await site[Symbol.asyncDispose]();
  process.exit();
}

const rounds: Record<string, PeerFigures>[] = [];
for (let round = 0; round < Number(values.rounds); round++) {
  const figures: Record<string, PeerFigures> = {};
  for (const name of ['ours', 'crawlee', 'bare']) {
    if (!wanted.includes(name)) continue;
    console.error(`${name} …`);
    const script = `${name}.ts`;
    if (!existsSync(join(import.meta.dirname, script))) throw new Error(`bench/${script} is missing`);
    figures[name] = await runPeerProcess({ script, origin, pages });
    console.error(`${name}: ${JSON.stringify(figures[name])}`);
  }
  rounds.push(figures);
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
const medianOf = (name: string) =>
  Object.fromEntries(
    Object.keys(rounds[0]![name]!).map((field) => [
      field,
      median(rounds.map((figures) => figures[name]![field as keyof PeerFigures])),
    ]),
  );
const ratio = (peer: string, field: keyof PeerFigures) =>
  Math.round(median(rounds.map(({ ours, [peer]: other }) => ours![field] / other![field])) * 100) / 100;
const has = (name: string) => wanted.includes(name);
console.log(
  JSON.stringify({
    ...(has('ours') && medianOf('ours')),
    ...(has('crawlee') && { crawlee: medianOf('crawlee') }),
    ...(has('bare') && { bare: medianOf('bare') }),
    ...(has('ours') && has('crawlee') && { times_crawlee_per_second: ratio('crawlee', 'pages_per_second') }),
    ...(has('ours') && has('bare') && { of_bare_per_cpu_second: ratio('bare', 'pages_per_cpu_second') }),
  }),
);
