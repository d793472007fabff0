import type { Fulltext, TextRow } from '../../ports/fulltext.ts';
import { chunkTerms, matchesPrefix, phraseTerms, prefixTerms, queryTerms } from '../../text/text-terms.ts';
import { asEngine, type Bare } from '../as-engine.ts';
import { matchesFilter } from '../memory/match-filter.ts';

interface Entry {
  row: TextRow;
  terms: string[];
  counts: Map<string, number>;
}

const K1 = 1.5;
const B = 0.75;

/** BM25 over maps in memory; for the workbench and for tests. */
export function createMemoryFulltext(): Fulltext {
  const entries = new Map<string, Entry>();
  const postings = new Map<string, Map<string, number>>();
  let totalLength = 0;

  const remove = (chunkId: string) => {
    const entry = entries.get(chunkId);
    if (entry === undefined) return;
    entries.delete(chunkId);
    totalLength -= entry.terms.length;
    for (const term of entry.counts.keys()) {
      const list = postings.get(term)!;
      list.delete(chunkId);
      if (list.size === 0) postings.delete(term);
    }
  };
  const add = (row: TextRow) => {
    remove(row.chunkId);
    const terms = chunkTerms(row);
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    entries.set(row.chunkId, { row, terms, counts });
    totalLength += terms.length;
    for (const [term, count] of counts) {
      const list = postings.get(term) ?? new Map<string, number>();
      postings.set(term, list.set(row.chunkId, count));
    }
  };

  const fulltext: Bare<Fulltext> = {
    async upsert(rows) {
      for (const row of rows) add(row);
    },
    async search(query, limit, filter) {
      const ranked = queryTerms(query.words);
      const expanded = query.prefixes.map((prefix) => {
        const wanted = prefixTerms(prefix);
        return [...postings.keys()].filter((term) => matchesPrefix(term, wanted));
      });
      const phrases = query.phrases.map(phraseTerms).filter((phrase) => phrase.length > 0);
      for (const term of [...expanded.flat(), ...phrases.flat()]) if (!ranked.has(term)) ranked.set(term, 1);
      const excluded = query.excluded.map(phraseTerms).filter((phrase) => phrase.length > 0);

      const scores = new Map<string, number>();
      const average = totalLength / Math.max(1, entries.size);
      for (const [term, weight] of ranked) {
        const list = postings.get(term);
        if (list === undefined) continue;
        const idf = Math.log(1 + (entries.size - list.size + 0.5) / (list.size + 0.5));
        for (const [chunkId, count] of list) {
          const length = entries.get(chunkId)!.terms.length / average;
          const score = (weight * idf * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
          scores.set(chunkId, (scores.get(chunkId) ?? 0) + score);
        }
      }
      const passes = ({ row, terms, counts }: Entry) =>
        matchesFilter(row, filter) &&
        phrases.every((phrase) => holdsPhrase(terms, phrase)) &&
        expanded.every((options) => options.some((term) => counts.has(term))) &&
        !excluded.some((phrase) => holdsPhrase(terms, phrase));
      return [...scores]
        .filter(([chunkId]) => passes(entries.get(chunkId)!))
        .sort((a, b) => b[1] - a[1])
        .slice(0, limit)
        .map(([chunkId, score]) => ({ chunkId, documentId: entries.get(chunkId)!.row.documentId, score }));
    },
    async deleteDocuments(documentIds) {
      const gone = new Set(documentIds);
      for (const { row } of entries.values()) if (gone.has(row.documentId)) remove(row.chunkId);
    },
    async deleteChunks(chunkIds) {
      for (const id of chunkIds) remove(id);
    },
    async touch(documentIds, fetchedAt) {
      const touched = new Set(documentIds);
      for (const entry of entries.values())
        if (touched.has(entry.row.documentId)) entry.row = { ...entry.row, fetchedAt };
    },
    async *ids() {
      yield [...entries.values()].map(({ row }) => ({ chunkId: row.chunkId, documentId: row.documentId }));
    },
    count: async () => entries.size,
    async [Symbol.asyncDispose]() {
      entries.clear();
      postings.clear();
    },
  };
  return asEngine('memory', fulltext, async () => ({ detail: `${entries.size} chunks` }));
}

function holdsPhrase(terms: string[], phrase: string[]): boolean {
  for (let at = terms.indexOf(phrase[0]!); at >= 0; at = terms.indexOf(phrase[0]!, at + 1))
    if (phrase.every((term, offset) => terms[at + offset] === term)) return true;
  return false;
}
