import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection, Table } from '@lancedb/lancedb';
import { Field, Float64, List, type Schema, Utf8 } from 'apache-arrow';
import { AppError } from '../../errors.ts';
import type { IndexFields } from '../../ports/index-filter.ts';

/** The columns both kinds of index share: the key and what can be filtered by. */
export const sharedFields = () => [
  new Field('chunk_id', new Utf8(), false),
  new Field('document_id', new Utf8(), false),
  new Field('collection_id', new Utf8(), true),
  new Field('domain', new Utf8(), false),
  new Field('tags', new List(new Field('item', new Utf8(), true)), false),
  new Field('source', new Utf8(), false),
  new Field('content_type', new Utf8(), false),
  new Field('language', new Utf8(), true),
  new Field('fetched_at', new Float64(), false),
];

export const sharedValues = (row: IndexFields & { chunkId: string }) => ({
  chunk_id: row.chunkId,
  document_id: row.documentId,
  collection_id: row.collectionId,
  domain: row.domain,
  tags: row.tags,
  source: row.source,
  content_type: row.contentType,
  language: row.language,
  fetched_at: row.fetchedAt,
});

const SCALAR_INDEXES = {
  chunk_id: 'btree',
  document_id: 'btree',
  collection_id: 'bitmap',
  domain: 'bitmap',
  source: 'bitmap',
  content_type: 'bitmap',
  language: 'bitmap',
  tags: 'labelList',
} as const;

type Preparation = (table: Table, lance: typeof import('@lancedb/lancedb')) => Promise<void>;

/** Loaded with the first use of a table. */
let engine: typeof import('@lancedb/lancedb') | undefined;

/** Two commits within this time may leave the same stamp on a folder. */
const STAMP_MS = 50;

/**
 * A table in a folder, opened when first used. Readers see every write of every process: each commit adds a file to
 * the folder of versions, so that folder's time shows whether there is a new version. (The client's own
 * check lists the folder at every query, which took a third of a query's time.)
 */
export class LanceTable {
  readonly #folder: string;
  readonly #name: string;
  readonly #schema: () => Schema;
  readonly #prepare: Preparation | undefined;
  #connection: Promise<Connection> | undefined;
  #table: Promise<Table> | undefined;
  #seen: number | undefined;
  #looks = 0;

  /** `prepare` runs on a table that was just made. */
  constructor(folder: string, name: string, schema: () => Schema, prepare?: Preparation) {
    this.#folder = folder;
    this.#name = name;
    this.#schema = schema;
    this.#prepare = prepare;
  }

  /**
   * Runs work on the table; whatever the engine reports is ENGINE_DOWN to the caller. `look` is the number of the check of
   * the folder that found this version: the same number again means no change.
   */
  async use<T>(work: (table: Table, lance: typeof import('@lancedb/lancedb'), look: number) => Promise<T>): Promise<T> {
    try {
      engine ??= await import('@lancedb/lancedb');
      const lance = engine;
      this.#table ??= this.#open(lance);
      const table = await this.#table;
      return await work(table, lance, await this.#refresh(table));
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      this.#table = undefined;
      throw new AppError('ENGINE_DOWN', `the index ${this.#name} does not answer`, { cause });
    }
  }

  /** Concurrent commits of several processes may collide; the loser only has to try again. */
  async write(work: (table: Table, lance: typeof import('@lancedb/lancedb')) => Promise<unknown>): Promise<void> {
    await this.use(async (table, lance) => {
      for (let attempt = 1; ; attempt++) {
        try {
          await work(table, lance);
          return;
        } catch (error) {
          if (attempt >= 12 || !/conflict|retry|concurrent/i.test(String(error))) throw error;
          await new Promise((resolve) => setTimeout(resolve, 20 * attempt * (0.5 + Math.random())));
        }
      }
    });
  }

  async upsert(rows: Record<string, unknown>[]): Promise<void> {
    if (rows.length === 0) return;
    await this.write((table, lance) =>
      table
        .mergeInsert('chunk_id')
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
        .execute(lance.makeArrowTable(rows, { schema: this.#schema() })),
    );
  }

  async *ids(): AsyncGenerator<{ chunkId: string; documentId: string }[]> {
    const query = await this.use(async (table) => table.query().select(['chunk_id', 'document_id']));
    for await (const batch of query) {
      yield batch.toArray().map((row) => ({ chunkId: String(row.chunk_id), documentId: String(row.document_id) }));
    }
  }

  /** Folds small files together, brings indexes up to date and drops what no reader can still be looking at. */
  async optimize(
    more: (table: Table, lance: typeof import('@lancedb/lancedb'), indexed: Set<string>) => Promise<void>,
  ) {
    await this.write(async (table, lance) => {
      const indexed = new Set((await table.listIndices()).flatMap((index) => index.columns));
      await table.optimize({ cleanupOlderThan: new Date(Date.now() - 10 * 60_000) });
      if ((await table.countRows()) > 0)
        for (const [column, kind] of Object.entries(SCALAR_INDEXES))
          if (!indexed.has(column)) await table.createIndex(column, { config: lance.Index[kind]() });
      await more(table, lance, indexed);
    });
  }

  async drop(): Promise<void> {
    await this.use(async () => (await this.#connection)?.dropTable(this.#name));
    await this.close();
  }

  async close(): Promise<void> {
    (await this.#table?.catch(() => undefined))?.close();
    (await this.#connection?.catch(() => undefined))?.close();
    this.#table = undefined;
    this.#connection = undefined;
    this.#seen = undefined;
  }

  async #refresh(table: Table): Promise<number> {
    // Synchronous: reading a local folder's time takes microseconds, a trip through the thread pool a hundred times that.
    const { mtimeMs } = statSync(join(this.#folder, `${this.#name}.lance`, '_versions'));
    if (mtimeMs === this.#seen) return this.#looks;
    const look = ++this.#looks;
    await table.checkoutLatest();
    this.#seen = Date.now() - mtimeMs > STAMP_MS ? mtimeMs : undefined;
    return look;
  }

  async #open(lance: typeof import('@lancedb/lancedb')): Promise<Table> {
    this.#connection ??= lance.connect(this.#folder);
    const connection = await this.#connection;
    const names = await connection.tableNames();
    if (names.includes(this.#name)) return connection.openTable(this.#name);
    const table = await connection.createEmptyTable(this.#name, this.#schema(), { existOk: true });
    // Of two processes that make it at once one may fail here; the other has done it for both.
    await this.#prepare?.(table, lance).catch(() => undefined);
    return table;
  }
}
