import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CheerioCrawler, Configuration, LogLevel, log } from '@crawlee/cheerio';
import { runPeer } from './peer.ts';

/** Crawlee's CheerioCrawler as its documentation shows it: storage on disk, links enqueued, results pushed. */
const CONNECTIONS = 32;

await runPeer(async (origin) => {
  const folder = await mkdtemp(join(tmpdir(), 'crawlee-'));
  try {
    log.setLevel(LogLevel.ERROR);
    const configuration = new Configuration({ storageClientOptions: { localDataDirectory: folder } });
    let pages = 0;
    const crawler = new CheerioCrawler(
      {
        autoscaledPoolOptions: { desiredConcurrency: CONNECTIONS },
        async requestHandler({ $, request, pushData, enqueueLinks }) {
          const title = $('title').text();
          const links = $('a[href]')
            .map((_, element) => new URL($(element).attr('href') ?? '', request.loadedUrl).href)
            .get();
          const text = $('body').text().replaceAll(/\s+/g, ' ').trim();
          await pushData({ url: request.url, title, text, links });
          await enqueueLinks();
          pages++;
        },
      },
      configuration,
    );
    await crawler.run([`${origin}/page/0`]);
    return pages;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
