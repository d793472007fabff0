import { createInterface } from 'node:readline';

/**
 * The frame of every crawler that is measured: `peer.ts ORIGIN PAGES`. It prints `{"ready":true}` when it has loaded its
 * code, waits for one line on its standard input, crawls, and prints `{"pages","seconds"}`. It then waits to be
 * ended, so that the measuring process can read its last figures.
 */
export async function runPeer(crawl: (origin: string, maxPages: number) => Promise<number>): Promise<void> {
  const [origin = '', pages = '5000'] = process.argv.slice(2);
  if (origin === '') throw new Error('usage: PEER ORIGIN PAGES');
  const lines = createInterface({ input: process.stdin });
  console.log(JSON.stringify({ ready: true }));
  for await (const _line of lines) {
    const started = performance.now();
    const crawled = await crawl(origin, Number(pages));
    console.log(JSON.stringify({ pages: crawled, seconds: (performance.now() - started) / 1_000 }));
  }
}
