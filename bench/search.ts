/**
 * Hybrid search over synthetic chunks with real query embeddings: 8 clients, filters on, nothing repeated. Compares
 * with the same engine calls and nothing around them (model, vectors, keywords), with LanceDB's own indexes called in
 * the same way, and the vector part with exact search. CPU time and memory are those of the program and the database.
 * Usage: node bench/search.ts [--chunks 100000] [--queries 400] [--clients 8] [--data DIR]
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Settings } from '../src/config/settings.ts';
import { migrate } from '../src/db/migrate.ts';
import { insertChunks } from '../src/db/search/chunks.ts';
import { writeSpace } from '../src/db/search/index-state.ts';
import { createMemoryCache } from '../src/drivers/cache/memory.ts';
import { createEmbeddedDatabase } from '../src/drivers/database/embedded.ts';
import { createOnnxEmbedder } from '../src/drivers/embedder/onnx.ts';
import { createLanceFulltext } from '../src/drivers/fulltext/lancedb.ts';
import { createLanceVectors } from '../src/drivers/vectors/lancedb.ts';
import { newId } from '../src/ids.ts';
import { createLog } from '../src/log.ts';
import { searchDocuments } from '../src/operations/search/search-documents.ts';
import { SearchRequest } from '../src/operations/search/search-schema.ts';
import { parseQuery } from '../src/pipeline/search/parse-query.ts';
import { DEPTH } from '../src/pipeline/search/retrieve.ts';
import type { Fulltext } from '../src/ports/fulltext.ts';
import type { IndexFields } from '../src/ports/index-filter.ts';
import type { Vectors } from '../src/ports/vectors.ts';
import { startMeter } from './measure.ts';
import { createWords, percentile, seededRandom } from './search-data.ts';

const { values } = parseArgs({
  options: {
    chunks: { type: 'string', default: '100000' },
    queries: { type: 'string', default: '400' },
    clients: { type: 'string', default: '8' },
    json: { type: 'boolean', default: false },
    data: { type: 'string' },
  },
});
const chunks = Number(values.chunks);
const clients = Number(values.clients);
const CHUNKS_PER_DOCUMENT = 10;
const COLLECTIONS = 4;
const BATCH = 5_000;
const RECALL_QUERIES = 50;
const ONLY_WHEN_ASKED = 1e9;

const folder = values.data ?? (await mkdtemp(join(tmpdir(), 'bench-search-')));
const filled = existsSync(join(folder, 'index'));
const random = seededRandom(7);
const words = createWords(random, 40_000);
const settings = Settings.parse({ dataDir: folder });
await using database = await createEmbeddedDatabase({ dataDir: folder, poolSize: 10 });
if (!filled) await migrate(database);
await using embedder = createOnnxEmbedder(settings.embedder);
const index = { folder: join(folder, 'index'), space: 'bench', dimension: embedder.dimension };
await using vectors = createLanceVectors(index);
await using fulltext = createLanceFulltext(index);
await using vectorTable = createLanceVectors({ ...index, memoryRows: 0 });
await using textTable = createLanceFulltext({ ...index, memoryRows: 0 });
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

const exact = createExact(RECALL_QUERIES);
await fill();
const collectionIds = (await database.query<{ id: string }>('SELECT id FROM collections ORDER BY name')).map(
  (row) => row.id,
);
const contenders = {
  ours,
  engines: (query: string) => askEngines(query, vectors, fulltext),
  lancedb: (query: string) => askEngines(query, vectorTable, textTable),
};
const results = { ours: newResult(), engines: newResult(), lancedb: newResult() };
await compare(['ours', 'engines']);
// Before LanceDB's own indexes are queried: their caches are not part of what a search needs.
const memoryMb = [process.pid, databasePid()].reduce((sum, pid) => sum + startMeter(pid).stop().peak_rss_mb, 0);
await compare(['lancedb']);
const report = {
  chunks,
  clients,
  queries: results.ours.took.length,
  ...summarize(results.ours),
  engines: summarize(results.engines),
  lancedb: summarize(results.lancedb),
  overhead: overhead(results.engines),
  overhead_over_lancedb: overhead(results.lancedb),
  recall_at_10: await measureRecall(),
  memory_mb: Math.round(memoryMb),
};
if (values.data === undefined) await rm(folder, { recursive: true, force: true });
console.log(JSON.stringify(report));

interface Result {
  took: number[];
  cpuMs: number;
}

function newResult(): Result {
  return { took: [], cpuMs: 0 };
}

function summarize({ took, cpuMs }: Result) {
  const perQuery = Math.round((cpuMs / took.length) * 100) / 100;
  return { p50_ms: percentile(took, 0.5), p95_ms: percentile(took, 0.95), cpu_ms: perQuery };
}

function overhead(alone: Result): number {
  return Math.round((percentile(results.ours.took, 0.5) / percentile(alone.took, 0.5) - 1) * 1_000) / 1_000;
}

/** In alternating rounds, so that whatever else the machine does falls on all alike. */
async function compare(names: (keyof typeof contenders)[]): Promise<void> {
  const rounds = 4;
  await warmUp(names);
  for (let round = 0; round < rounds; round++)
    for (const name of names) {
      const queries = Array.from({ length: Math.ceil(Number(values.queries) / rounds) }, () => words.query(5));
      const database = startMeter(databasePid(), ONLY_WHEN_ASKED);
      const before = process.cpuUsage();
      results[name].took.push(...(await race(queries, contenders[name])));
      const { user, system } = process.cpuUsage(before);
      results[name].cpuMs += (user + system) / 1_000 + database.stop().cpu_seconds * 1_000;
    }
}

/** Until caches are filled and nothing is being read in the background any more. */
async function warmUp(names: (keyof typeof contenders)[]): Promise<void> {
  for (let spent = Number.POSITIVE_INFINITY; spent > 100; ) {
    for (let at = 0; at < 20; at++) for (const name of names) await contenders[name](words.query(5));
    const before = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const { user, system } = process.cpuUsage(before);
    spent = (user + system) / 1_000;
  }
}

function databasePid(): number {
  return Number.parseInt(readFileSync(join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8'), 10);
}

async function ours(query: string): Promise<void> {
  await searchDocuments(
    app,
    SearchRequest.parse({ query, collection_ids: collectionIds.slice(0, 2), languages: ['en'] }),
  );
}

async function askEngines(query: string, byVector: Vectors, byText: Fulltext): Promise<void> {
  const filter = { collectionIds: collectionIds.slice(0, 2), languages: ['en'] };
  await Promise.all([
    embedder.embed([query], 'query').then(([vector]) => byVector.search(vector!, DEPTH, filter)),
    byText.search(parseQuery(query).text, DEPTH, filter),
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

/** Exact answers, worked out as the vectors go by: keeping them all would count as memory of the search. */
function createExact(count: number) {
  return Array.from({ length: count }, () => ({ vector: words.vector(embedder.dimension), best: [] as Scored[] }));
}

interface Scored {
  id: string;
  score: number;
}

/** Keeps the best ten, worst first. */
function offer(best: Scored[], entry: Scored): void {
  if (best.length === 10 && entry.score <= best[0]!.score) return;
  best.push(entry);
  best.sort((a, b) => a.score - b.score);
  if (best.length > 10) best.shift();
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}

async function measureRecall(): Promise<number> {
  let found = 0;
  for (const { vector, best } of exact) {
    const ids = new Set(best.map(({ id }) => id));
    found += (await vectors.search(vector, 10)).filter((hit) => ids.has(hit.chunkId)).length;
  }
  return found / (exact.length * 10);
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
      for (const { vector: asked, best } of exact) offer(best, { id, score: dot(asked, vector) });
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
