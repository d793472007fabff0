import type { FullTextQuery, Occur } from '@lancedb/lancedb';
import { Field, Schema, Utf8 } from 'apache-arrow';
import type { Fulltext, TextQuery } from '../../ports/fulltext.ts';
import { chunkTerms, phraseTerms, prefixTerms, queryTerms } from '../../text/text-terms.ts';
import { asEngine, type Bare } from '../as-engine.ts';
import { chunkIn, documentIn, filterSql, timeSql } from '../lancedb/filter-sql.ts';
import { LanceMirror, type MirrorPart } from '../lancedb/mirror.ts';
import { LanceTable, sharedFields, sharedValues } from '../lancedb/table.ts';
import { MAX_SLOTS, Postings } from './postings.ts';

/** Terms that a prefix may stand for, at most: the commonest of the rows looked at. */
const MAX_EXPANSIONS = 50;
const EXPANSION_ROWS = 500;

export interface LanceFulltextOptions {
  folder: string;
  /** Of tables of up to so many rows the terms are held in memory, where queries of words alone are answered. */
  memoryRows?: number;
}

/**
 * BM25 over terms of our own making: the column holds them separated by spaces, where LanceDB splits. Rows
 * that were written after the index was built are scanned, so new text is found at once. Queries of words alone are
 * answered from memory, which holds no positions: phrases, prefixes and what is excluded need the table.
 */
export function createLanceFulltext({ folder, memoryRows = 200_000 }: LanceFulltextOptions): Fulltext {
  const schema = () => new Schema([...sharedFields(), new Field('terms', new Utf8(), false)]);
  // The index is there from the start, empty: without one the engine would split terms its own way.
  const lance = new LanceTable(folder, 'fulltext', schema, (table, { Index }) =>
    table.createIndex('terms', { config: Index.fts(FTS_OPTIONS) }),
  );

  const mirror = new LanceMirror({ maxRows: Math.min(memoryRows, MAX_SLOTS / 2), create: createPart });

  const expand = (prefix: string): Promise<string[]> =>
    lance.use(async (table) => {
      const { start, stems } = prefixTerms(prefix);
      const like = start.replace(/[\\%_]/g, '\\$&').replaceAll("'", "''");
      const rows = (await table
        .query()
        .where(`terms LIKE '${like}%' OR terms LIKE '% ${like}%'`)
        .select(['terms'])
        .limit(EXPANSION_ROWS)
        .toArray()) as { terms: string }[];
      const counts = new Map<string, number>();
      for (const row of rows)
        for (const term of new Set(row.terms.split(' ')))
          if (term.startsWith(start)) counts.set(term, (counts.get(term) ?? 0) + 1);
      const commonest = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MAX_EXPANSIONS);
      return [...stems, ...commonest.map(([term]) => term)];
    });

  const fulltext: Bare<Fulltext> = {
    upsert: (rows) => lance.upsert(rows.map((row) => ({ ...sharedValues(row), terms: chunkTerms(row).join(' ') }))),
    async search(query, limit, filter) {
      const plain = query.phrases.length + query.prefixes.length + query.excluded.length === 0;
      const expanded = await Promise.all(query.prefixes.map((prefix) => expand(prefix)));
      const where = filterSql(filter);
      return lance.use(async (table, engine, look) => {
        const held = plain ? await mirror.follow(table, look) : undefined;
        if (held !== undefined)
          return held.part.postings
            .search(queryTerms(query.words), limit, held.rows.mask(filter), held.rows.mask())
            .map(({ slot, score }) => held.rows.hit(slot, score));
        const text = buildQuery(engine, query, expanded);
        if (text === undefined) return [];
        const search = table.query().fullTextSearch(text).select(['chunk_id', 'document_id', '_score']).limit(limit);
        const rows = (await (where === undefined ? search : search.where(where)).toArray()) as {
          chunk_id: string;
          document_id: string;
          _score: number;
        }[];
        return rows.map((row) => ({ chunkId: row.chunk_id, documentId: row.document_id, score: row._score }));
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
    ids: () => lance.ids(),
    count: () => lance.use((table) => table.countRows()),
    optimize: () =>
      lance.optimize(async (table, { Index }, indexed) => {
        if (indexed.has('terms')) return;
        await table.createIndex('terms', { config: Index.fts(FTS_OPTIONS) });
      }),
    async [Symbol.asyncDispose]() {
      mirror.clear();
      await lance.close();
    },
  };
  return asEngine('lancedb', fulltext, async () => ({ detail: `${await fulltext.count()} chunks` }));
}

function createPart(): MirrorPart & { postings: Postings } {
  const postings = new Postings();
  const hashes: number[] = [];
  return {
    postings,
    column: 'terms',
    rewritable: false,
    holds: (slot, terms) => hashes[slot] === hashText(terms as string),
    set(slot, terms) {
      hashes[slot] = hashText(terms as string);
      postings.add(slot, (terms as string).split(' '));
    },
    settle: () => postings.pack(),
  };
}

/** A 53-bit hash of a text (two multiplicative hashes side by side). */
function hashText(text: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

const FTS_OPTIONS = {
  baseTokenizer: 'whitespace',
  lowercase: false,
  stem: false,
  removeStopWords: false,
  asciiFolding: false,
  withPosition: true,
  maxTokenLength: 256,
} as const;

/** Words rank; phrases, and one word of every prefix, must be there; what is excluded must not. */
function buildQuery(
  lance: typeof import('@lancedb/lancedb'),
  query: TextQuery,
  expanded: string[][],
): FullTextQuery | undefined {
  const { BooleanQuery, MatchQuery, PhraseQuery } = lance;
  const match = (terms: Iterable<string>, boost = 1) => new MatchQuery([...terms].join(' '), 'terms', { boost });
  const phrase = (terms: string[]) =>
    terms.length === 1 ? match(terms) : new PhraseQuery(terms.join(' '), 'terms', { slop: 0 });
  // A word that occurs twice in the query counts twice, as in BM25: in long questions that shows the topic.
  const rank = (words: Map<string, number>): FullTextQuery | undefined => {
    const groups = Map.groupBy(words.keys(), (term) => words.get(term)!);
    const parts = [...groups].map(([count, terms]): [Occur, FullTextQuery] => [
      lance.Occur.Should,
      match(terms, count),
    ]);
    return parts.length > 1 ? new BooleanQuery(parts) : parts[0]?.[1];
  };
  if (expanded.some((terms) => terms.length === 0)) return undefined;

  const must = [
    ...query.phrases
      .map(phraseTerms)
      .filter((terms) => terms.length > 0)
      .map(phrase),
    ...expanded.map((terms) => match(terms)),
  ];
  const mustNot = query.excluded
    .map(phraseTerms)
    .filter((terms) => terms.length > 0)
    .map(phrase);
  const ranked = rank(queryTerms(query.words));
  if (must.length === 0 && mustNot.length === 0) return ranked;
  const parts: [Occur, FullTextQuery][] = [];
  for (const part of must) parts.push([lance.Occur.Must, part]);
  if (ranked !== undefined) parts.push([must.length === 0 ? lance.Occur.Must : lance.Occur.Should, ranked]);
  if (parts.length === 0) return undefined;
  for (const part of mustNot) parts.push([lance.Occur.MustNot, part]);
  return new BooleanQuery(parts);
}
