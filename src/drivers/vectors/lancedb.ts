import { Field, FixedSizeList, Float32, Schema } from 'apache-arrow';
import { AppError } from '../../errors.ts';
import type { Vectors } from '../../ports/vectors.ts';
import { chunkIn, documentIn, fieldsSql, filterSql } from '../lancedb/filter-sql.ts';
import { LanceTable, sharedFields, sharedValues } from '../lancedb/table.ts';

export interface LanceVectorsOptions {
  folder: string;
  /** Names the vectors of one model; another model has another table beside it. */
  space: string;
  dimension: number;
  /** Up to so many rows every vector is compared; beyond, an index is searched. */
  flatRows?: number;
}

/** Measured at 100,000 rows: the engine's own default has a recall of .88; this reaches .99 and more. */
const EF = 200;
/** Short lists are compared again by the full vectors; in long ones the order of neighbours matters less than time. */
const REFINED_LIMIT = 30;

export function createLanceVectors({ folder, space, dimension, flatRows = 10_000 }: LanceVectorsOptions): Vectors {
  const schema = () =>
    new Schema([
      ...sharedFields(),
      new Field('vector', new FixedSizeList(dimension, new Field('item', new Float32(), true)), false),
    ]);
  const lance = new LanceTable(folder, `vectors-${space.replace(/[^\w.-]/g, '_')}`, schema);
  const check = (vector: Float32Array) => {
    if (vector.length !== dimension)
      throw new AppError('DIMENSION_MISMATCH', `a vector of ${vector.length} was given where ${dimension} is held`);
  };

  return {
    dimension,
    async upsert(rows) {
      for (const row of rows) check(row.vector);
      await lance.upsert(rows.map((row) => ({ ...sharedValues(row), vector: row.vector })));
    },
    async search(vector, limit, filter) {
      check(vector);
      const where = filterSql(filter);
      return lance.use(async (table) => {
        const query = table
          .vectorSearch(vector)
          .distanceType('cosine')
          .ef(Math.max(EF, limit * 2))
          .select(['chunk_id', 'document_id', '_distance'])
          .limit(limit);
        if (limit <= REFINED_LIMIT) query.refineFactor(2);
        const rows = (await (where === undefined ? query : query.where(where)).toArray()) as {
          chunk_id: string;
          document_id: string;
          _distance: number;
        }[];
        return rows.map((row) => ({ chunkId: row.chunk_id, documentId: row.document_id, score: 1 - row._distance }));
      });
    },
    async deleteDocuments(documentIds) {
      if (documentIds.length > 0) await lance.write((table) => table.delete(documentIn(documentIds)));
    },
    async deleteChunks(chunkIds) {
      if (chunkIds.length > 0) await lance.write((table) => table.delete(chunkIn(chunkIds)));
    },
    updateFields: (documentId, fields) =>
      lance.write((table) => table.update({ where: documentIn([documentId]), valuesSql: fieldsSql(fields) })),
    ids: () => lance.ids(),
    count: () => lance.use((table) => table.countRows()),
    optimize: () =>
      lance.optimize(async (table, { Index }, indexed) => {
        // Compaction comes first: an index over many small files is slow to build and slow to search.
        if (indexed.has('vector') || (await table.countRows()) <= flatRows) return;
        await table.createIndex('vector', { config: Index.hnswSq({ distanceType: 'cosine', numPartitions: 1 }) });
      }),
    [Symbol.asyncDispose]: () => lance.close(),
  };
}
