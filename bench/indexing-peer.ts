import { createApp } from '../src/app.ts';
import { loadSettings } from '../src/config/load.ts';
import { countOutbox } from '../src/db/search/outbox.ts';
import { createOnnxEmbedder } from '../src/drivers/embedder/onnx.ts';
import { startDeepCrawl } from '../src/operations/crawls/start-crawl.ts';
import { UploadDocumentInput, uploadDocument } from '../src/operations/documents/upload-document.ts';
import { createIndexer } from '../src/pipeline/index/indexer.ts';
import { runWorker } from '../src/roles/worker.ts';
import { createWords, percentile, seededRandom } from './search-data.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

/**
 * One part of `bench crawl --indexing`, in a process of its own over an empty data folder:
 * `indexing-peer.ts '{"origin","pages","documents","yields"}'`. With pages it crawls; with documents it indexes them beside it,
 * in the same process as `crawl4r up` does; with both, queries are embedded all the while. Prints one line of JSON.
 */
export interface PartOptions {
  origin: string;
  pages: number;
  documents: number;
  yields: boolean;
}

export interface PartFigures {
  pages_per_second?: number;
  searchable_seconds?: number;
  query_p50_ms?: number;
  query_p95_ms?: number;
}

/** A page of usual length: some five chunks. */
const PARAGRAPHS = 20;
/** Documents that wait for their vectors when the crawl starts. */
const FULL = 100;
const QUERY_EVERY_MS = 50;
const round = (value: number) => Math.round(value * 100) / 100;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const options = JSON.parse(process.argv[2]!) as PartOptions;
const figures: PartFigures = {};
await using folder = await createTemporaryFolder('bench');
const { settings } = loadSettings({
  DATA_DIR: folder.path,
  LOG_LEVEL: 'warn',
  GUARD__ALLOW: '127.0.0.0/8',
  RATE_LIMIT__DEFAULT_RPS: '0',
  WORKER__DOMAIN_CONCURRENCY: '1000',
  FRONTIER__MAX_NEW_URLS_PER_SECOND: '0',
  FEATURES__MAX_PAGES_PER_DEEP_CRAWL: '0',
});
{
  await using app = await createApp(settings, {
    embedder: createOnnxEmbedder({ ...settings.embedder, yields: options.yields }),
  });
  await using _embedder = app.embedder;
  const stop = new AbortController();
  const words = createWords(seededRandom(3), 20_000);
  for (let at = 0; at < options.documents; at++) {
    const content = Array.from({ length: PARAGRAPHS }, () => `${words.text(60)}.`).join('\n\n');
    await uploadDocument(app, UploadDocumentInput.parse({ url: `document ${at}`, content }));
  }
  if (options.documents > 0) {
    // As if crawled: no caller waits for them.
    await app.database.query('UPDATE outbox SET priority = 5');
  }
  await app.embedder.embed(['warm'], 'query');
  if (options.documents > 0) await app.embedder.embed(['warm', 'both'.repeat(600)], 'document');

  const start = performance.now();
  const indexing = options.documents > 0 ? createIndexer(app).run(stop.signal) : undefined;
  // Until the model is fully busy: only then is the queue as intended.
  if (options.pages > 0 && indexing !== undefined)
    while ((await countOutbox(app.database)).vector < FULL) await sleep(50);

  if (options.pages > 0) {
    const waits: number[] = [];
    const asking = indexing === undefined ? undefined : ask(app.embedder, words, waits, stop.signal);
    const working = runWorker(app, stop.signal);
    figures.pages_per_second = round(await crawl());
    stop.abort();
    await Promise.all([working, asking, indexing]);
    if (waits.length > 0) {
      figures.query_p50_ms = percentile(waits, 0.5);
      figures.query_p95_ms = percentile(waits, 0.95);
    }
    if (indexing !== undefined && (await waiting()) === 0)
      throw new Error('the index queue ran dry: give more documents');
  } else {
    while ((await waiting()) > 0) await sleep(50);
    figures.searchable_seconds = round((performance.now() - start) / 1_000);
    stop.abort();
    await indexing;
  }

  async function waiting(): Promise<number> {
    const { text, vector } = await countOutbox(app.database);
    return text + vector;
  }

  /** Pages a second of a crawl over the whole site. */
  async function crawl(): Promise<number> {
    const from = performance.now();
    const { id } = await startDeepCrawl(app, {
      url: `${options.origin}/page/0`,
      max_depth: 100,
      max_pages: options.pages,
    });
    for (;;) {
      await sleep(50);
      const [row] = await app.database.query<{ completed_at: Date | null; pages_crawled: number }>(
        'SELECT completed_at, pages_crawled FROM crawls WHERE id = $1',
        [id],
      );
      if (row?.completed_at) return row.pages_crawled / ((performance.now() - from) / 1_000);
    }
  }
}
console.log(JSON.stringify(figures));

/** Embeds new queries, one after the other, as a user who types would. */
async function ask(
  embedder: { embed(texts: string[], kind: 'query'): Promise<unknown> },
  words: ReturnType<typeof createWords>,
  waits: number[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const from = performance.now();
    await embedder.embed([words.query(4)], 'query');
    waits.push(performance.now() - from);
    await sleep(QUERY_EVERY_MS);
  }
}
