import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { deleteDocument } from '../../src/operations/documents/delete-document.ts';
import { searchDocuments } from '../../src/operations/search/search-documents.ts';
import { SearchRequest } from '../../src/operations/search/search-schema.ts';
import { createIndexer } from '../../src/pipeline/index/indexer.ts';
import { createTestDatabase } from '../support/database.ts';
import { createIndexApp, putDocument } from '../support/index-app.ts';

const DOCUMENTS = 12;
const url = (at: number) => `https://example.com/${at}`;

interface Write {
  kind: 'insert' | 'change' | 'delete';
  /** Which document; `last`: the one the cursor stands on, which is the hardest case. */
  at: number | 'last';
}
const write: fc.Arbitrary<Write> = fc.record({
  kind: fc.constantFrom('insert', 'change', 'delete'),
  at: fc.oneof(fc.constant('last' as const), fc.nat(DOCUMENTS - 1)),
});

test('pages neither repeat nor skip while documents are written, changed and deleted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(write, { minLength: 4, maxLength: 8 }),
      async (limit, writes) => {
        await using database = await createTestDatabase();
        await using app = await createIndexApp(database);
        const ids: string[] = [];
        for (let at = 0; at < DOCUMENTS; at++)
          ids.push(await putDocument(database, url(at), `apple ${'and pear '.repeat(at)}`));
        await createIndexer(app).drain();

        const apply = async (kind: Write['kind'], at: number, number: number) => {
          if (kind === 'insert')
            for (let copy = 0; copy < 4; copy++)
              await putDocument(database, `${url(at)}/${number}/${copy}`, `pear ${'apple '.repeat(copy)}`);
          else if (kind === 'change') await putDocument(database, url(at), `pear, changed ${number} times`);
          else await deleteDocument(app, ids[at]!);
          await createIndexer(app).drain();
        };
        const touched = new Set<string>();
        const deleted = new Set<string>();
        const seen: string[] = [];
        const pending = [...writes];
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const answer = await searchDocuments(app, SearchRequest.parse({ query: 'apple pear', limit, cursor }));
          for (const { document_id: id } of answer.results) {
            assert.ok(!seen.includes(id), 'a document came twice');
            assert.ok(!deleted.has(id), 'a deleted document was shown');
            seen.push(id);
          }
          const next = pending.shift();
          if (next !== undefined) {
            const last = Math.max(0, ids.indexOf(seen.at(-1) ?? ''));
            const at = next.at === 'last' ? last : next.at;
            await apply(next.kind, at, pending.length);
            if (next.kind !== 'insert') touched.add(ids[at]!);
            if (next.kind === 'delete') deleted.add(ids[at]!);
            if (next.kind === 'change') deleted.delete(ids[at]!);
          }
          cursor = answer.next_cursor;
        }
        for (const id of ids) assert.ok(touched.has(id) || seen.includes(id), 'a document nobody touched was skipped');
      },
    ),
    { numRuns: 5, endOnFailure: true },
  );
});
