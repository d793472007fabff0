/**
 * How fast documents become findable: the indexer with all it does, against the bare model on the same texts, and the
 * time until a small urgent upload is found while the rest is still being embedded.
 * Usage: node bench/index.ts [--documents 200]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createApp } from '../src/app.ts';
import { Settings } from '../src/config/settings.ts';
import { countOutbox } from '../src/db/outbox.ts';
import { searchDocuments } from '../src/operations/search-documents.ts';
import { SearchRequest } from '../src/operations/search-schema.ts';
import { UploadDocumentInput, uploadDocument } from '../src/operations/upload-document.ts';
import { createIndexer } from '../src/pipeline/index/indexer.ts';
import { createWords, seededRandom } from './search-data.ts';

const { values } = parseArgs({ options: { documents: { type: 'string', default: '200' } } });
const folder = await mkdtemp(join(tmpdir(), 'bench-index-'));
const words = createWords(seededRandom(3), 20_000);
{
  await using app = await createApp(Settings.parse({ dataDir: folder, logLevel: 'warn' }));
  const upload = (content: string, url: string) => uploadDocument(app, UploadDocumentInput.parse({ url, content }));
  for (let at = 0; at < Number(values.documents); at++)
    await upload(Array.from({ length: 4 }, () => `${words.text(60)}.`).join('\n\n'), `document ${at}`);
  await app.embedder.embed(['warm'], 'document');
  await app.embedder.embed(['warm'], 'query');

  const stop = new AbortController();
  const start = performance.now();
  const running = createIndexer(app).run(stop.signal);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const uploaded = performance.now();
  await upload('A zeppelin moored at the mast.', 'urgent');
  const find = async () => (await searchDocuments(app, SearchRequest.parse({ query: 'zeppelin' }))).results;
  while (!(await find()).some((hit) => hit.content.includes('zeppelin')))
    await new Promise((done) => setTimeout(done, 50));
  const urgentMs = performance.now() - uploaded;
  while (true) {
    const { text, vector } = await countOutbox(app.database);
    if (text + vector === 0) break;
    await new Promise((done) => setTimeout(done, 100));
  }
  const ours = (performance.now() - start) / 1_000;
  stop.abort();
  await running;

  const chunks = await app.database.query<{ content: string }>('SELECT content FROM chunks');
  const bareStart = performance.now();
  await app.embedder.embed(
    chunks.map((chunk) => chunk.content),
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
      rss_mb: Math.round(process.memoryUsage().rss / 1e6),
    }),
  );
}
await rm(folder, { recursive: true, force: true });
