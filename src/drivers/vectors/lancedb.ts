import { Field, FixedSizeList, Float32, Schema } from 'apache-arrow';
import { AppError } from '../../errors.ts';
import type { Vectors } from '../../ports/vectors.ts';
import { asEngine, type Bare } from '../as-engine.ts';
import { chunkIn, documentIn, fieldsSql, filterSql, timeSql } from '../lancedb/filter-sql.ts';
import { LanceMirror, type MirrorPart } from '../lancedb/mirror.ts';
import { LanceTable, sharedFields, sharedValues } from '../lancedb/table.ts';
import { VectorScan } from './scan.ts';

export interface LanceVectorsOptions {
  folder: string;
  /** Names the vectors of one model; another model has another table beside it. */
  space: string;
  dimension: number;
  /** Up to so many rows every vector is compared; beyond, an index is searched. */
  flatRows?: number;
  /** Tables of up to so many rows are held in memory and searched there. */
  memoryRows?: number;
}

/** Measured at 100,000 rows: the engine's own default has a recall of .88; this reaches .99 and more. */
const EF = 200;
/** Short lists are compared again by the full vectors; in long ones the order of neighbours matters less than time. */
const REFINED_LIMIT = 30;

/**
 * Vectors in a LanceDB table, which is what lasts; searched in memory as long as they fit there, by the table's own
 * index otherwise.
 */
export function createLanceVectors(options: LanceVectorsOptions): Vectors {
  const { folder, space, dimension, flatRows = 10_000, memoryRows = 200_000 } = options;
  const schema = () =>
    new Schema([
      ...sharedFields(),
      new Field('vector', new FixedSizeList(dimension, new Field('item', new Float32(), true)), false),
    ]);
  const lance = new LanceTable(folder, `vectors-${space.replace(/[^\w.-]/g, '_')}`, schema);
  const mirror = new LanceMirror({ maxRows: memoryRows, create: () => createPart(dimension) });
  const check = (vector: Float32Array) => {
    if (vector.length !== dimension)
      throw new AppError('DIMENSION_MISMATCH', `a vector of ${vector.length} was given where ${dimension} is held`);
  };

  const vectors: Bare<Vectors> = {
    dimension,
    async upsert(rows) {
      for (const row of rows) check(row.vector);
      await lance.upsert(rows.map((row) => ({ ...sharedValues(row), vector: row.vector })));
    },
    async search(vector, limit, filter) {
      check(vector);
      return lance.use(async (table, _, look) => {
        const held = await mirror.follow(table, look);
        if (held !== undefined)
          return held.part.scan
            .search(vector, limit, held.rows.mask(filter))
            .map(({ slot, score }) => held.rows.hit(slot, score));
        const where = filterSql(filter);
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
    async touch(documentIds, fetchedAt) {
      if (documentIds.length > 0)
        await lance.write((table) => table.update({ where: documentIn(documentIds), valuesSql: timeSql(fetchedAt) }));
    },
    updateFields: (documentId, fields) =>
      lance.write((table) => table.update({ where: documentIn([documentId]), valuesSql: fieldsSql(fields) })),
    drop: () => lance.drop(),
    ids: () => lance.ids(),
    count: () => lance.use((table) => table.countRows()),
    optimize: () =>
      lance.optimize(async (table, { Index }, indexed) => {
        // Compaction comes first: an index over many small files is slow to build and slow to search.
        if (indexed.has('vector') || (await table.countRows()) <= flatRows) return;
        await table.createIndex('vector', { config: Index.hnswSq({ distanceType: 'cosine', numPartitions: 1 }) });
      }),
    async [Symbol.asyncDispose]() {
      mirror.clear();
      await lance.close();
    },
  };
  return asEngine('lancedb', vectors, async () => ({ detail: `${await vectors.count()} vectors of ${dimension}` }));
}

function createPart(dimension: number): MirrorPart & { scan: VectorScan } {
  const scan = new VectorScan(dimension);
  return {
    scan,
    column: 'vector',
    rewritable: true,
    holds: () => false,
    set: (slot, value) => scan.set(slot, (value as { toArray(): Float32Array }).toArray()),
  };
}
