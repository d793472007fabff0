import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type PeerFigures, runPeerProcess } from './run-peer.ts';
import { startSite } from './start-process.ts';

/**
 * Crawl speed: crawl4r, Crawlee's CheerioCrawler and a bare loop over the same site, one after the other.
 *
 *   --pages N      size of the site (5000)
 *   --only NAMES   some of ours, crawlee, bare
 *
 * The last line is one JSON object; what happens meanwhile goes to standard error.
 */
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '5000' },
    only: { type: 'string', default: 'ours,crawlee,bare' },
    json: { type: 'boolean', default: false },
  },
});
const pages = Number(values.pages);
const wanted = values.only.split(',');

await using site = await startSite(['--pages', values.pages]);
const origin = site.ready.origins[0]!;
console.error(`site: ${pages} pages of ${site.ready.bytes_per_page} bytes at ${origin}`);

const figures: Record<string, PeerFigures> = {};
for (const name of ['ours', 'crawlee', 'bare']) {
  if (!wanted.includes(name)) continue;
  console.error(`${name} …`);
  const script = `${name}.ts`;
  if (!existsSync(join(import.meta.dirname, script))) throw new Error(`bench/${script} is missing`);
  figures[name] = await runPeerProcess({ script, origin, pages });
  console.error(`${name}: ${JSON.stringify(figures[name])}`);
}
const { ours, ...peers } = figures;
console.log(JSON.stringify({ ...ours, ...peers }));
