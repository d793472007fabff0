import { parseArgs } from 'node:util';
import { createHostileSite } from '../test/support/hostile-site.ts';
import { HOSTILE_PAGES, startHostilePages } from './hostile-pages.ts';

/**
 * The hostile sites as a process of their own: every evil has a host, and thereby a domain, to itself, and each wave has
 * new ones. All bodies are made before the first request.
 *
 *   --waves N   how many sets of hosts (1)
 *
 * Prints one JSON line with the addresses of each wave, and ends when its standard input ends.
 */
const { values } = parseArgs({ options: { waves: { type: 'string', default: '1' } } });

const WIRE = [
  ...['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip'].map(
    (encoding) => `/bomb?encoding=${encodeURIComponent(encoding)}`,
  ),
  '/endless',
  '/drip',
  '/silent',
  '/drip-headers',
  '/header-flood',
  '/header-endless',
  '/length-too-long',
  '/length-huge',
  '/not-http',
  '/switch',
  '/reset',
  '/loop',
  '/redirect-endless?to=/ok',
  '/bytes?count=50000000',
];

export interface HostileReady {
  waves: { urls: string[]; trap: string }[];
}

const ready: HostileReady = { waves: [] };
for (let wave = 1; wave <= Number(values.waves); wave++) {
  const urls: string[] = [];
  for (const path of WIRE) {
    const host = `127.1.${wave}.${urls.length + 1}`;
    const { port } = await createHostileSite({ host, prepare: wave === 1 });
    urls.push(`http://${host}:${port}${path}`);
  }
  for (const path of HOSTILE_PAGES) {
    const { origin } = await startHostilePages(`127.1.${wave}.${urls.length + 1}`);
    urls.push(origin + path);
  }
  const { origin } = await startHostilePages(`127.1.${wave}.${urls.length + 1}`);
  ready.waves.push({ urls, trap: `${origin}/trap` });
}
console.log(JSON.stringify(ready));

const stop = () => process.exit(0);
process.once('SIGTERM', stop);
process.stdin.resume().once('end', stop).once('error', stop);
