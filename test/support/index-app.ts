import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { upsertDocuments } from '../../src/db/documents/documents.ts';
import { createMemoryCache } from '../../src/drivers/cache/memory.ts';
import { createLanceFulltext } from '../../src/drivers/fulltext/lancedb.ts';
import { createLanceVectors } from '../../src/drivers/vectors/lancedb.ts';
import { newId } from '../../src/ids.ts';
import { createLog } from '../../src/log.ts';
import type { IndexDeps } from '../../src/pipeline/index/deps.ts';
import type { SearchDeps } from '../../src/pipeline/search/ranking.ts';
import type { Database } from '../../src/ports/database.ts';
import type { Embedder } from '../../src/ports/embedder.ts';
import { analyze } from '../../src/text/analyze.ts';

export type IndexApp = IndexDeps & SearchDeps & AsyncDisposable & { folder: string };

/** An embedder that needs no model: texts that share words point the same way. */
export function createHashEmbedder(model = 'hash@1', dimension = 32): Embedder & { calls: number; down: boolean } {
  const embedder = {
    engine: 'hash',
    check: async () => ({ engine: 'hash', detail: model, latencyMs: 0 }),
    model,
    dimension,
    maxTokens: 512,
    calls: 0,
    down: false,
    async embed(texts: readonly string[]) {
      if (embedder.down) throw new Error('the embedder is down');
      embedder.calls += texts.length;
      return texts.map((text) => {
        const vector = new Float32Array(dimension).fill(0.01);
        for (const term of analyze(text)) {
          let hash = 7;
          for (const letter of term) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0;
          vector[hash % dimension]! += 1;
        }
        const norm = Math.hypot(...vector);
        return vector.map((value) => value / norm);
      });
    },
    async [Symbol.asyncDispose]() {},
  };
  return embedder;
}

/** Real engines in a folder of their own over a test database; only the embedder is made up. */
export async function createIndexApp(database: Database, over: Partial<IndexApp> = {}): Promise<IndexApp> {
  const folder = over.folder ?? (await mkdtemp(join(tmpdir(), 'index-')));
  const embedder = over.embedder ?? createHashEmbedder();
  const openVectors = (model: string, dimension: number) => createLanceVectors({ folder, space: model, dimension });
  const vectors = over.vectors ?? openVectors(embedder.model, embedder.dimension);
  const fulltext = over.fulltext ?? createLanceFulltext({ folder });
  const cache = over.cache ?? createMemoryCache({ maxMb: 8 });
  return {
    settings: {
      chunk: { strategy: 'markdown', size: 64, overlap: 0, min: 8 },
      cache: { embedTtlS: 60, queryTtlS: 60, queryEmbedTtlS: 60 },
      embedder: {},
      reranker: { topN: 20 },
    },
    log: createLog({ level: 'silent', stream: process.stderr }),
    reranker: undefined,
    ...over,
    database,
    folder,
    embedder,
    openVectors,
    vectors,
    fulltext,
    cache,
    async [Symbol.asyncDispose]() {
      await vectors[Symbol.asyncDispose]();
      await fulltext[Symbol.asyncDispose]();
      if (over.folder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Stores a document the way the crawler does; returns its id. */
export async function putDocument(
  database: Database,
  url: string,
  content: string,
  over: { title?: string; domain?: string; collection_id?: string; priority?: number } = {},
): Promise<string> {
  const hash = Buffer.from(url).toString('hex').padEnd(64, '0').slice(0, 64);
  const { createHash } = await import('node:crypto');
  await database.transaction((tx) =>
    upsertDocuments(tx, [
      {
        id: newId(),
        url,
        url_hash: createHash('sha256').update(hash).digest('hex'),
        domain: over.domain ?? 'example.com',
        page_id: null,
        parent_task_id: null,
        title: over.title ?? null,
        content,
        content_hash: createHash('sha256').update(content).digest('hex'),
        language: 'en',
        content_type: 'text/markdown',
        kind: null,
        source: 'upload',
        collection_id: over.collection_id ?? null,
        source_id: null,
        metadata: {},
        chunking: {},
        priority: over.priority ?? 5,
      },
    ]),
  );
  const rows = await database.query<{ id: string }>('SELECT id FROM documents WHERE url = $1', [url]);
  return rows[0]!.id;
}
