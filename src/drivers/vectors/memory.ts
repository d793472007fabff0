import { AppError } from '../../errors.ts';
import type { IndexHit } from '../../ports/index-filter.ts';
import type { VectorRow, Vectors } from '../../ports/vectors.ts';
import { asEngine, type Bare } from '../as-engine.ts';
import { matchesFilter } from '../memory/match-filter.ts';

/** Compares with every vector; for the workbench and for tests. Vectors have norm 1, so the dot product is the cosine. */
export function createMemoryVectors({ dimension }: { dimension: number }): Vectors {
  const rows = new Map<string, VectorRow>();
  const check = (vector: Float32Array) => {
    if (vector.length !== dimension)
      throw new AppError('DIMENSION_MISMATCH', `a vector of ${vector.length} was given where ${dimension} is held`);
  };

  const vectors: Bare<Vectors> = {
    dimension,
    async upsert(added) {
      for (const row of added) check(row.vector);
      for (const row of added) rows.set(row.chunkId, { ...row });
    },
    async search(vector, limit, filter) {
      check(vector);
      const hits: IndexHit[] = [];
      for (const row of rows.values())
        if (matchesFilter(row, filter))
          hits.push({ chunkId: row.chunkId, documentId: row.documentId, score: dot(vector, row.vector) });
      return hits.sort((a, b) => b.score - a.score).slice(0, limit);
    },
    async deleteDocuments(documentIds) {
      const gone = new Set(documentIds);
      for (const row of rows.values()) if (gone.has(row.documentId)) rows.delete(row.chunkId);
    },
    async deleteChunks(chunkIds) {
      for (const id of chunkIds) rows.delete(id);
    },
    async touch(documentIds, fetchedAt) {
      const touched = new Set(documentIds);
      for (const row of rows.values()) if (touched.has(row.documentId)) row.fetchedAt = fetchedAt;
    },
    async updateFields(documentId, fields) {
      for (const row of rows.values()) if (row.documentId === documentId) Object.assign(row, fields);
    },
    async *ids() {
      yield [...rows.values()].map(({ chunkId, documentId }) => ({ chunkId, documentId }));
    },
    count: async () => rows.size,
    async [Symbol.asyncDispose]() {
      rows.clear();
    },
  };
  return asEngine('memory', vectors, async () => ({ detail: `${rows.size} vectors of ${dimension}` }));
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
