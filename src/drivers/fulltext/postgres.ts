import type { Database, Sql } from '../../ports/database.ts';
import type { Fulltext, TextQuery } from '../../ports/fulltext.ts';
import type { IndexFilter, IndexHit } from '../../ports/index-filter.ts';
import { chunkTerms, phraseTerms, prefixTerms, queryTerms } from '../../text/text-terms.ts';
import { asEngine, type Bare } from '../as-engine.ts';
import { askVersion } from '../ask-engine.ts';

const K1 = 1.2;
const B = 0.75;
/** Rows that are scored: those with the query's rarest words, which is where the best hits are. */
const MAX_SCORED = 3_000;
const STATISTICS_MS = 30_000;

/** The engine's own table, made when first used; it can be dropped at any time and is filled again from the chunks. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS fulltext_chunks (
    chunk_id uuid PRIMARY KEY, document_id uuid NOT NULL, collection_id uuid, domain text NOT NULL, tags text[] NOT NULL,
    source text NOT NULL, content_type text NOT NULL, language text, fetched_at double precision NOT NULL,
    length int NOT NULL, terms tsvector NOT NULL);
  CREATE INDEX IF NOT EXISTS fulltext_chunks_terms_idx ON fulltext_chunks USING gin (terms);
  CREATE INDEX IF NOT EXISTS fulltext_chunks_document_idx ON fulltext_chunks (document_id);`;

/**
 * BM25 in PostgreSQL, for installations without a second engine. The server's own ranking ignores how rare a word
 * is, so the index only finds candidates, and their scores are computed from term counts, lengths and frequencies.
 */
export function createPostgresFulltext({ database }: { database: Database }): Fulltext {
  let made: Promise<void> | undefined;
  let statistics: { at: number; count: number; length: number } | undefined;
  const ready = () => {
    made ??= createTable(database).catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  const readStatistics = async () => {
    if (statistics === undefined || performance.now() - statistics.at > STATISTICS_MS) {
      const rows = await database.query<{ count: number; length: number }>(
        'SELECT count(*) AS count, coalesce(avg(length), 1)::float8 AS length FROM fulltext_chunks',
      );
      statistics = { at: performance.now(), ...rows[0]! };
    }
    return statistics;
  };

  const fulltext: Bare<Fulltext> = {
    async upsert(rows) {
      await ready();
      if (rows.length === 0) return;
      statistics = undefined;
      const values = rows.map(({ title, headings, content, ...row }) => {
        const terms = chunkTerms({ title, headings, content });
        return { ...row, length: terms.length, terms: toTsvector(terms) };
      });
      await upsertRows(database, values);
    },
    async search(query, limit, filter) {
      await ready();
      const plan = planQuery(query);
      if (plan === undefined) return [];
      const { count, length } = await readStatistics();
      const frequencies = await countTerms(database, plan.ranked);
      return scoreRows(database, plan, frequencies, { count, length }, limit, filter);
    },
    async deleteDocuments(documentIds) {
      await ready();
      await database.query('DELETE FROM fulltext_chunks WHERE document_id::text = ANY ($1::text[])', [documentIds]);
    },
    async deleteChunks(chunkIds) {
      await ready();
      await database.query('DELETE FROM fulltext_chunks WHERE chunk_id::text = ANY ($1::text[])', [chunkIds]);
    },
    async touch(documentIds, fetchedAt) {
      await ready();
      await database.query('UPDATE fulltext_chunks SET fetched_at = $2 WHERE document_id::text = ANY ($1::text[])', [
        documentIds,
        fetchedAt,
      ]);
    },
    async *ids() {
      await ready();
      let after: string | null = null;
      while (true) {
        const rows: { chunkId: string; documentId: string }[] = await database.query(
          `SELECT chunk_id AS "chunkId", document_id AS "documentId" FROM fulltext_chunks
           WHERE $1::uuid IS NULL OR chunk_id > $1 ORDER BY chunk_id LIMIT 10000`,
          [after],
        );
        if (rows.length === 0) return;
        yield rows;
        after = rows.at(-1)!.chunkId;
      }
    },
    async count() {
      await ready();
      return (await database.query<{ count: number }>('SELECT count(*) AS count FROM fulltext_chunks'))[0]!.count;
    },
    async [Symbol.asyncDispose]() {},
  };
  return asEngine('postgres', fulltext, async () => ({
    ...(await askVersion(database)),
    detail: `${await fulltext.count()} chunks`,
  }));
}

/** Two processes that start at once must not both make it. */
function createTable(database: Database): Promise<void> {
  return database.transaction(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock(724_001)');
    for (const statement of SCHEMA.split(';').filter((part) => part.trim() !== '')) await tx.query(statement);
  });
}

async function upsertRows(sql: Sql, rows: object[]): Promise<void> {
  await sql.query(
    `INSERT INTO fulltext_chunks (chunk_id, document_id, collection_id, domain, tags, source, content_type, language,
       fetched_at, length, terms)
     SELECT "chunkId", "documentId", "collectionId", domain, ARRAY(SELECT json_array_elements_text(tags)), source,
       "contentType", language, "fetchedAt", length, terms::tsvector
     FROM json_to_recordset($1::json) AS x ("chunkId" uuid, "documentId" uuid, "collectionId" uuid, domain text, tags json,
       source text, "contentType" text, language text, "fetchedAt" float8, length int, terms text)
     ON CONFLICT (chunk_id) DO UPDATE SET document_id = excluded.document_id, collection_id = excluded.collection_id,
       domain = excluded.domain, tags = excluded.tags, source = excluded.source, content_type = excluded.content_type,
       language = excluded.language, fetched_at = excluded.fetched_at, length = excluded.length, terms = excluded.terms`,
    [JSON.stringify(rows)],
  );
}

interface Plan {
  /** Terms that score, with how often each occurs in the query. */
  ranked: Map<string, number>;
  /** What a row must hold besides, as tsquery. */
  required: string[];
  prefixes: string[];
  excluded: string | undefined;
}

function planQuery(query: TextQuery): Plan | undefined {
  const ranked = queryTerms(query.words);
  const phrases = query.phrases.map(phraseTerms).filter((terms) => terms.length > 0);
  for (const term of phrases.flat()) if (!ranked.has(term)) ranked.set(term, 1);
  const prefixes = query.prefixes.map((prefix) => {
    const { start, stems } = prefixTerms(prefix);
    return `(${[`${lexeme(start)}:*`, ...stems.map(lexeme)].join(' | ')})`;
  });
  if (ranked.size === 0 && prefixes.length === 0) return undefined;
  const excluded = query.excluded
    .map(phraseTerms)
    .filter((terms) => terms.length > 0)
    .map(phraseQuery);
  return {
    ranked,
    required: [...phrases.map(phraseQuery), ...prefixes],
    prefixes,
    excluded: excluded.length === 0 ? undefined : excluded.join(' | '),
  };
}

const lexeme = (term: string) => `'${term.replace(/['\\]/g, '$&$&')}'`;
const phraseQuery = (terms: string[]) => `(${terms.map(lexeme).join(' <-> ')})`;

/** Positions above the server's limit are left out: they matter for phrases only. */
function toTsvector(terms: readonly string[]): string {
  const positions = new Map<string, number[]>();
  for (const [at, term] of terms.entries()) {
    const list = positions.get(term) ?? [];
    positions.set(term, list);
    if (at < 16_383 && list.length < 255) list.push(at + 1);
  }
  return [...positions].map(([term, at]) => lexeme(term) + (at.length > 0 ? `:${at.join(',')}` : '')).join(' ');
}

async function countTerms(sql: Sql, terms: ReadonlyMap<string, number>): Promise<Map<string, number>> {
  const names = [...terms.keys()];
  const rows = await sql.query<{ at: number; count: number }>(
    `SELECT q.at::int, (SELECT count(*) FROM fulltext_chunks WHERE terms @@ q.query::tsquery) AS count
     FROM unnest($1::text[]) WITH ORDINALITY AS q (query, at)`,
    [names.map(lexeme)],
  );
  return new Map(rows.map((row) => [names[row.at - 1]!, row.count]));
}

function scoreRows(
  sql: Sql,
  plan: Plan,
  frequencies: ReadonlyMap<string, number>,
  { count, length }: { count: number; length: number },
  limit: number,
  filter: IndexFilter | undefined,
): Promise<IndexHit[]> {
  const rarest = [...frequencies].filter(([, rows]) => rows > 0).sort((a, b) => a[1] - b[1]);
  const candidates: string[] = [];
  let rows = 0;
  for (const [term, frequency] of rarest) {
    if (candidates.length > 0 && rows + frequency > MAX_SCORED) break;
    candidates.push(lexeme(term));
    rows += frequency;
  }
  if (candidates.length === 0) candidates.push(...plan.prefixes);
  if (candidates.length === 0) return Promise.resolve([]);
  const idf = (frequency: number) => Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
  const weights = rarest.map(([term, frequency]) => (plan.ranked.get(term) ?? 1) * idf(frequency));
  const must = [`(${candidates.join(' | ')})`, ...plan.required].join(' & ');
  return sql.query(
    `SELECT f.chunk_id AS "chunkId", f.document_id AS "documentId", coalesce((
       SELECT sum(q.weight * ${K1 + 1} * cardinality(u.positions)
         / (cardinality(u.positions) + ${K1} * (1 - ${B} + ${B} * f.length / $4::float8)))
       FROM unnest(f.terms) AS u JOIN unnest($2::text[], $3::float8[]) AS q (term, weight) ON q.term = u.lexeme), 0.001)
       AS score
     FROM fulltext_chunks f
     WHERE f.terms @@ $1::tsquery AND ($5::text IS NULL OR NOT f.terms @@ $5::tsquery)
       AND ($6::text[] IS NULL OR f.document_id::text = ANY ($6)) AND ($7::text[] IS NULL OR f.collection_id::text = ANY ($7))
       AND ($8::text[] IS NULL OR f.domain = ANY ($8)) AND ($9::text[] IS NULL OR f.tags && $9)
       AND ($10::text[] IS NULL OR f.source = ANY ($10)) AND ($11::text[] IS NULL OR f.content_type = ANY ($11))
       AND ($12::text[] IS NULL OR f.language = ANY ($12))
       AND ($13::float8 IS NULL OR f.fetched_at >= $13) AND ($14::float8 IS NULL OR f.fetched_at <= $14)
     ORDER BY score DESC, f.chunk_id LIMIT $15`,
    [
      must,
      rarest.map(([term]) => term),
      weights,
      Math.max(1, length),
      plan.excluded ?? null,
      filter?.documentIds ?? null,
      filter?.collectionIds ?? null,
      filter?.domains ?? null,
      filter?.tags ?? null,
      filter?.sources ?? null,
      filter?.contentTypes ?? null,
      filter?.languages ?? null,
      filter?.fetchedFrom ?? null,
      filter?.fetchedTo ?? null,
      limit,
    ],
  );
}
