/**
 * How fast documents become findable: the indexer with all it does, against the bare model on the same texts, and the
 * time until a small urgent upload is found while the rest is still being embedded.
 * Usage: node bench/index.ts [--documents 200] [--data DIR]
 * DIR: a folder that bench/search.ts has filled, so that memory is measured beside as many chunks as it holds.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createApp } from '../src/app.ts';
import { Settings } from '../src/config/settings.ts';
import { writeTermsVersion } from '../src/db/search/index-state.ts';
import { countOutbox } from '../src/db/search/outbox.ts';
import { createLanceVectors } from '../src/drivers/vectors/lancedb.ts';
import { newId } from '../src/ids.ts';
import { UploadDocumentInput, uploadDocument } from '../src/operations/documents/upload-document.ts';
import { searchDocuments } from '../src/operations/search/search-documents.ts';
import { SearchRequest } from '../src/operations/search/search-schema.ts';
import { embeddingText } from '../src/pipeline/index/embedding-text.ts';
import { createIndexer } from '../src/pipeline/index/indexer.ts';
import { TERMS_VERSION } from '../src/text/analyze.ts';
import { startMeter } from './measure.ts';
import { createWords, seededRandom } from './search-data.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '200' },
    data: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const folder = values.data ?? (await mkdtemp(join(tmpdir(), 'bench-index-')));
/** A page of usual length: some five chunks. */
const PARAGRAPHS = 20;
const run = newId().slice(-6);
const words = createWords(seededRandom(3), 20_000);
{
  await using app = await createApp(Settings.parse({ dataDir: folder, logLevel: 'warn' }), {
    ...(values.data !== undefined && { openVectors: openFilled }),
  });
  await writeTermsVersion(app.database, TERMS_VERSION);
  const upload = (content: string, url: string) => uploadDocument(app, UploadDocumentInput.parse({ url, content }));
  for (let at = 0; at < Number(values.documents); at++)
    await upload(
      Array.from({ length: PARAGRAPHS }, () => `${words.text(60)}.`).join('\n\n'),
      `document ${at} of ${run}`,
    );
  await app.embedder.embed(['warm'], 'document');
  await app.embedder.embed(['warm'], 'query');
  const search = (query: string) => searchDocuments(app, SearchRequest.parse({ query }));
  // What a search keeps in memory of the chunks that are there already is read now: that is no part of indexing.
  for (let spentMs = Number.POSITIVE_INFINITY; spentMs > 150; ) {
    await search('warm');
    const before = process.cpuUsage();
    await new Promise((done) => setTimeout(done, 1_000));
    const { user, system } = process.cpuUsage(before);
    spentMs = (user + system) / 1_000;
  }

  const memory = startMeter(process.pid, 1_000);
  const stop = new AbortController();
  const start = performance.now();
  const running = createIndexer(app).run(stop.signal);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const uploaded = performance.now();
  await upload(`A zeppelin moored at the mast, ${run}.`, `urgent of ${run}`);
  const find = async () => (await search('zeppelin')).results;
  while (!(await find()).some((hit) => hit.content.includes(run))) await new Promise((done) => setTimeout(done, 50));
  const urgentMs = performance.now() - uploaded;
  while (true) {
    const { text, vector } = await countOutbox(app.database);
    if (text + vector === 0) break;
    await new Promise((done) => setTimeout(done, 100));
  }
  const ours = (performance.now() - start) / 1_000;
  await app.fulltext.optimize?.();
  await app.vectors.optimize?.();
  const { peak_rss_mb } = memory.stop();
  stop.abort();
  await running;

  const chunks = await app.database.query<{ content: string; title: string | null; headingPath: string[] }>(
    'SELECT c.content, d.title, c.heading_path AS "headingPath" FROM chunks c JOIN documents d ON d.id = c.document_id WHERE d.url LIKE $1',
    [`%of ${run}`],
  );
  const bareStart = performance.now();
  await app.embedder.embed(
    chunks.map((chunk) => embeddingText({ ...chunk, title: chunk.title ?? '' })),
    'document',
  );
  const bare = (performance.now() - bareStart) / 1_000;
  console.log(
    JSON.stringify({
      chunks: chunks.length,
      chunks_per_second: Math.round((chunks.length / ours) * 10) / 10,
      bare: { chunks_per_second: Math.round((chunks.length / bare) * 10) / 10 },
      ratio: Math.round((bare / ours) * 100) / 100,
      urgent_found_ms: Math.round(urgentMs),
      beside: (await app.fulltext.count()) - chunks.length,
      peak_rss_mb,
    }),
  );
}
if (values.data === undefined) await rm(folder, { recursive: true, force: true });

function openFilled(_model: string, dimension: number) {
  return createLanceVectors({ folder: join(folder, 'index'), space: 'bench', dimension, memoryRows: 0 });
}
