/**
 * Hybrid search over synthetic chunks with real query embeddings: 8 clients, filters on, nothing repeated. Compares
 * with the same engine calls and nothing around them, and the vector part with exact search.
 * Usage: node bench/search.ts [--chunks 100000] [--queries 400] [--clients 8] [--data DIR]
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Settings } from '../src/config/settings.ts';
import { insertChunks } from '../src/db/chunks.ts';
import { writeSpace } from '../src/db/index-state.ts';
import { migrate } from '../src/db/migrate.ts';
import { createMemoryCache } from '../src/drivers/cache/memory.ts';
import { createEmbeddedDatabase } from '../src/drivers/database/embedded.ts';
import { createOnnxEmbedder } from '../src/drivers/embedder/onnx.ts';
import { createLanceFulltext } from '../src/drivers/fulltext/lancedb.ts';
import { createLanceVectors } from '../src/drivers/vectors/lancedb.ts';
import { newId } from '../src/ids.ts';
import { createLog } from '../src/log.ts';
import { searchDocuments } from '../src/operations/search-documents.ts';
import { SearchRequest } from '../src/operations/search-schema.ts';
import { parseQuery } from '../src/pipeline/search/parse-query.ts';
import { DEPTH } from '../src/pipeline/search/retrieve.ts';
import type { IndexFields } from '../src/ports/index-filter.ts';
import { createWords, percentile, seededRandom } from './search-data.ts';

const { values } = parseArgs({
  options: {
    chunks: { type: 'string', default: '100000' },
    queries: { type: 'string', default: '400' },
    clients: { type: 'string', default: '8' },
    data: { type: 'string' },
  },
});
const chunks = Number(values.chunks);
const clients = Number(values.clients);
const CHUNKS_PER_DOCUMENT = 10;
const COLLECTIONS = 4;
const BATCH = 5_000;

const folder = values.data ?? (await mkdtemp(join(tmpdir(), 'bench-search-')));
const filled = existsSync(join(folder, 'index'));
const random = seededRandom(7);
const words = createWords(random, 40_000);
const settings = Settings.parse({ dataDir: folder });
await using database = await createEmbeddedDatabase({ dataDir: folder, poolSize: 10 });
if (!filled) await migrate(database);
await using embedder = createOnnxEmbedder(settings.embedder);
await using vectors = createLanceVectors({
  folder: join(folder, 'index'),
  space: 'bench',
  dimension: embedder.dimension,
});
await using fulltext = createLanceFulltext({ folder: join(folder, 'index') });
await using cache = createMemoryCache({ maxMb: 64 });
const app = {
  settings,
  database,
  embedder,
  vectors,
  fulltext,
  cache,
  openVectors: () => vectors,
  reranker: undefined,
  log: createLog({ level: 'warn', stream: process.stderr }),
};

const all = new Float32Array(chunks * embedder.dimension);
const chunkIds: string[] = [];
await fill();
const collectionIds = (await database.query<{ id: string }>('SELECT id FROM collections ORDER BY name')).map(
  (row) => row.id,
);
const queries = Array.from({ length: Number(values.queries) * 2 + 40 }, () => words.query(5));
for (const query of queries.splice(0, 40)) await ours(query);
const half = Number(values.queries);
// Alternating rounds, so that whatever else the machine does falls on both alike.
const times = { ours: [] as number[], engines: [] as number[] };
const cpu = { ours: 0, engines: 0 };
const ROUNDS = 4;
for (let round = 0; round < ROUNDS; round++) {
  const size = Math.floor(half / ROUNDS);
  let before = process.cpuUsage();
  times.ours.push(...(await race(queries.slice(round * size, (round + 1) * size), ours)));
  cpu.ours += cpuMs(before);
  before = process.cpuUsage();
  times.engines.push(...(await race(queries.slice(half + round * size, half + (round + 1) * size), enginesAlone)));
  cpu.engines += cpuMs(before);
}
const recall = await measureRecall();
const report = {
  chunks,
  clients,
  queries: times.ours.length,
  p50_ms: percentile(times.ours, 0.5),
  p95_ms: percentile(times.ours, 0.95),
  cpu_ms: Math.round((cpu.ours / times.ours.length) * 100) / 100,
  engines: {
    cpu_ms: Math.round((cpu.engines / times.engines.length) * 100) / 100,
    p50_ms: percentile(times.engines, 0.5),
    p95_ms: percentile(times.engines, 0.95),
  },
  overhead: Math.round((percentile(times.ours, 0.5) / percentile(times.engines, 0.5) - 1) * 1_000) / 1_000,
  recall_at_10: recall,
  rss_mb: Math.round(process.memoryUsage().rss / 1e6),
};
if (values.data === undefined) await rm(folder, { recursive: true, force: true });
console.log(JSON.stringify(report));

/** Our own threads, the engines' included; the database's are not. */
function cpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function ours(query: string): Promise<void> {
  await searchDocuments(
    app,
    SearchRequest.parse({ query, collection_ids: collectionIds.slice(0, 2), languages: ['en'] }),
  );
}

async function enginesAlone(query: string): Promise<void> {
  const filter = { collectionIds: collectionIds.slice(0, 2), languages: ['en'] };
  await Promise.all([
    embedder.embed([query], 'query').then(([vector]) => vectors.search(vector!, DEPTH, filter)),
    fulltext.search(parseQuery(query).text, DEPTH, filter),
  ]);
}

async function race(work: readonly string[], run: (query: string) => Promise<void>): Promise<number[]> {
  const waiting = [...work];
  const took: number[] = [];
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let query = waiting.pop(); query !== undefined; query = waiting.pop()) {
        const start = performance.now();
        await run(query);
        took.push(performance.now() - start);
      }
    }),
  );
  return took;
}

async function measureRecall(): Promise<number> {
  const size = embedder.dimension;
  let found = 0;
  const tries = 50;
  for (let query = 0; query < tries; query++) {
    const vector = words.vector(size);
    const scores = new Float32Array(chunks);
    for (let row = 0; row < chunks; row++) {
      let sum = 0;
      for (let i = 0; i < size; i++) sum += vector[i]! * all[row * size + i]!;
      scores[row] = sum;
    }
    const exact = new Set(
      [...scores.keys()]
        .sort((a, b) => scores[b]! - scores[a]!)
        .slice(0, 10)
        .map((row) => chunkIds[row]!),
    );
    found += (await vectors.search(vector, 10)).filter((hit) => exact.has(hit.chunkId)).length;
  }
  return found / (tries * 10);
}

/** Documents, chunks and index rows; the same data every time, so a kept folder can be used again. */
async function fill(): Promise<void> {
  const names = Array.from({ length: COLLECTIONS }, (_, at) => ({ id: newId(), name: `collection ${at}` }));
  if (!filled) {
    for (const { id, name } of names)
      await database.query('INSERT INTO collections (id, name) VALUES ($1, $2)', [id, name]);
    await writeSpace(database, { model: embedder.model, dimension: embedder.dimension, choice: null });
  }
  for (let from = 0; from < chunks; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, chunks - from) }, (_, at) => {
      const index = from + at;
      const document = Math.floor(index / CHUNKS_PER_DOCUMENT);
      const id = `00000000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`;
      const vector = words.vector(embedder.dimension);
      all.set(vector, index * embedder.dimension);
      chunkIds.push(id);
      return { id, document, vector, content: words.text(120), place: index % CHUNKS_PER_DOCUMENT };
    });
    if (filled) continue;
    await store(rows, names);
    console.error(`stored ${from + rows.length} chunks`);
  }
  if (filled) return;
  const start = performance.now();
  await fulltext.optimize?.();
  await vectors.optimize?.();
  await database.query('ANALYZE');
  console.error(`indexed in ${((performance.now() - start) / 1_000).toFixed(1)} s`);
}

async function store(
  rows: { id: string; document: number; vector: Float32Array; content: string; place: number }[],
  names: { id: string }[],
): Promise<void> {
  const documentId = (at: number) => `00000000-0000-7000-9000-${at.toString(16).padStart(12, '0')}`;
  const documents = [...new Set(rows.map((row) => row.document))];
  await database.query(
    `INSERT INTO documents (id, url, url_hash, domain, title, content, content_hash, language, source, collection_id)
     SELECT x.id, 'https://example.com/' || x.at, sha256(x.at::text::bytea), 'example.com', 'Document ' || x.at, '-',
       sha256(x.at::text::bytea), 'en', 'upload', x.collection_id
     FROM json_to_recordset($1::json) AS x (id uuid, at int, collection_id uuid)`,
    [JSON.stringify(documents.map((at) => ({ id: documentId(at), at, collection_id: names[at % COLLECTIONS]!.id })))],
  );
  await insertChunks(
    database,
    rows.map((row) => ({
      id: row.id,
      document_id: documentId(row.document),
      document_version: 1,
      chunk_index: row.place,
      start_char: 0,
      end_char: row.content.length,
      content: row.content,
      content_hash: '00',
      token_count: 120,
      heading_path: [],
      content_type: 'prose',
      embedding_model: embedder.model,
    })),
  );
  const fields = (row: { document: number }): IndexFields => ({
    documentId: documentId(row.document),
    collectionId: names[row.document % COLLECTIONS]!.id,
    domain: 'example.com',
    tags: [],
    source: 'upload',
    contentType: 'prose',
    language: 'en',
    fetchedAt: 0,
  });
  await fulltext.upsert(
    rows.map((row) => ({
      chunkId: row.id,
      ...fields(row),
      title: `Document ${row.document}`,
      headings: '',
      content: row.content,
    })),
  );
  await vectors.upsert(rows.map((row) => ({ chunkId: row.id, ...fields(row), vector: row.vector })));
}
