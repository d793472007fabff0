import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { indexFields as fields } from '../../../test/support/index-fields.ts';
import type { TextQuery } from '../../ports/fulltext.ts';
import type { IndexHit } from '../../ports/index-filter.ts';
import { createLanceFulltext } from '../fulltext/lancedb.ts';
import { createLanceVectors } from '../vectors/lancedb.ts';
import { createMemoryVectors } from '../vectors/memory.ts';

const direction = (angle: number) => Float32Array.of(Math.cos(angle), Math.sin(angle));
const words = (...list: string[]): TextQuery => ({ words: list, phrases: [], prefixes: [], excluded: [] });
const ids = (hits: IndexHit[]) => hits.map((hit) => hit.chunkId);

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'mirror-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

type Step =
  | { kind: 'upsert'; chunk: number; angle: number; tag: string }
  | { kind: 'deleteDocument' | 'deleteChunk'; chunk: number }
  | { kind: 'move'; chunk: number; tag: string }
  | { kind: 'optimize' };
const chunk = fc.integer({ min: 0, max: 7 });
const tag = fc.constantFrom('t1', 't2');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('upsert'),
      chunk,
      angle: fc.double({ min: 0, max: 3, noNaN: true }),
      tag,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('deleteDocument', 'deleteChunk'), chunk }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move'), chunk, tag }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('optimize') }) },
) as fc.Arbitrary<Step>;

describe('a table held in memory', () => {
  test('answers what the table holds after any writes, of others too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 14 }), (steps) =>
        withFolder(async (folder) => {
          const open = () => createLanceVectors({ folder, space: 's', dimension: 2 });
          await using mine = open();
          await using others = open();
          await using exact = createMemoryVectors({ dimension: 2 });
          for (const [{ kind, ...what }, byOthers] of steps) {
            const {
              chunk: number = 0,
              angle = 0,
              tag: label = '',
            } = what as { chunk?: number; angle?: number; tag?: string };
            const documentId = `d${number % 3}`;
            for (const vectors of [byOthers ? others : mine, exact])
              if (kind === 'upsert')
                await vectors.upsert([
                  { chunkId: `c${number}`, ...fields(documentId, { tags: [label] }), vector: direction(angle) },
                ]);
              else if (kind === 'deleteDocument') await vectors.deleteDocuments([documentId]);
              else if (kind === 'deleteChunk') await vectors.deleteChunks([`c${number}`]);
              else if (kind === 'move') await vectors.updateFields!(documentId, fields(documentId, { tags: [label] }));
              else await vectors.optimize?.();
            for (const filter of [undefined, { tags: ['t1'] }]) {
              const expected = await exact.search(direction(1), 10, filter);
              const found = await mine.search(direction(1), 10, filter);
              assert.deepEqual(ids(found).sort(), ids(expected).sort());
              for (const [at, hit] of found.entries()) assert.ok(Math.abs(hit.score - expected[at]!.score) < 1e-4);
            }
          }
        }),
      ),
      { numRuns: 12 },
    );
  });

  test('many rows are read in the background while the table answers; then memory and table agree', () =>
    withFolder(async (folder) => {
      await using writer = createLanceFulltext({ folder, memoryRows: 0 });
      const row = (at: number, content: string) => ({
        chunkId: `c${at}`,
        ...fields(`d${at % 9}`),
        title: '',
        headings: '',
        content,
      });
      await writer.upsert(
        Array.from({ length: 1_500 }, (_, at) => row(at, `word${at % 7} ${'filler '.repeat(at % 5)}`)),
      );
      await writer.optimize?.();
      await using reader = createLanceFulltext({ folder });
      const query = words('word3', 'word5');
      const compare = async () => {
        const [held, asked] = [await reader.search(query, 2_000), await writer.search(query, 2_000)];
        assert.deepEqual(ids(held).sort(), ids(asked).sort());
        assert.ok(held.every((hit) => hit.score > 0));
      };
      await compare();
      await pause(300);
      await compare();
      await writer.upsert([row(3, 'word5 alone'), row(9_000, 'word3 anew')]);
      await writer.deleteDocuments(['d5']);
      await compare();
      await writer.optimize?.();
      await compare();
      await pause(300);
      await compare();
    }));

  test('a table of more rows than may be held is asked itself', () =>
    withFolder(async (folder) => {
      await using vectors = createLanceVectors({ folder, space: 's', dimension: 2, memoryRows: 3 });
      for (let at = 0; at < 5; at++) {
        await vectors.upsert([{ chunkId: `c${at}`, ...fields('d'), vector: direction(at / 10) }]);
        assert.equal((await vectors.search(direction(0), 10)).length, at + 1);
      }
    }));
});
