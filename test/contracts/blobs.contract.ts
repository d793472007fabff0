import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Blobs } from '../../src/ports/blobs.ts';
import { assertAnswers, defineContract } from './support/contract.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const UNKNOWN = 'mi0000000000000000-0-0-00112233445566778899aabbccddeeff';

async function listAll(blobs: Blobs): Promise<string[]> {
  const all: string[] = [];
  for await (const batch of blobs.list()) all.push(...batch);
  return all.sort();
}

/** `open` gives a store over one place, the same for every call within a test. */
export const blobsContract = defineContract<() => Promise<{ open(): Promise<Blobs> } & AsyncDisposable>>(
  'blobs',
  (it, prepare) => {
    it('says which engine answers', async () => {
      await using place = await prepare();
      await using blobs = await place.open();
      await assertAnswers(blobs);
    });

    it('gives back what was put, in order, whatever the bytes', async () => {
      await using place = await prepare();
      await using blobs = await place.open();
      const items = [
        bytes('one'),
        bytes(''),
        Uint8Array.from({ length: 256 }, (_, index) => index),
        new Uint8Array(3e6),
      ];
      const references = await blobs.put(items);
      assert.equal(new Set(references).size, items.length);
      for (const [index, reference] of references.entries()) assert.deepEqual(await blobs.get(reference), items[index]);
      assert.deepEqual(await blobs.put([]), []);
    });

    it('gives the same bytes the same reference: in one call, at once, and later', async () => {
      await using place = await prepare();
      await using blobs = await place.open();
      const [first, second] = await blobs.put([bytes('same'), bytes('same')]);
      const [[third], [fourth]] = await Promise.all([blobs.put([bytes('same')]), blobs.put([bytes('same')])]);
      assert.deepEqual([second, third, fourth], [first, first, first]);
      assert.deepEqual(await listAll(blobs), [first]);
    });

    it('is there for the next process', async () => {
      await using place = await prepare();
      let reference: string;
      {
        await using blobs = await place.open();
        [reference = ''] = await blobs.put([bytes('kept')]);
      }
      await using again = await place.open();
      assert.deepEqual(await again.get(reference), bytes('kept'));
      assert.deepEqual(await again.put([bytes('kept')]), [reference]);
    });

    it('is there for a process that runs beside it', async () => {
      await using place = await prepare();
      await using one = await place.open();
      await using other = await place.open();
      const [reference = ''] = await one.put([bytes('shared')]);
      assert.deepEqual(await other.get(reference), bytes('shared'));
      await other.delete([reference]);
      assert.equal(await one.get(reference), undefined);
      const [anew = ''] = await one.put([bytes('shared')]);
      assert.deepEqual(await other.get(anew), bytes('shared'));
    });

    it('knows nothing about references that were never given out', async () => {
      await using place = await prepare();
      await using blobs = await place.open();
      const [known = ''] = await blobs.put([bytes('known')]);
      for (const reference of ['', 'x', '../../etc/passwd', UNKNOWN]) {
        assert.equal(await blobs.get(reference), undefined);
        await blobs.delete([reference]);
      }
      assert.deepEqual(await listAll(blobs), [known]);
    });

    it('deletes, lists what is left, and can put the same bytes again', async () => {
      await using place = await prepare();
      await using blobs = await place.open();
      const references = await blobs.put(Array.from({ length: 300 }, (_, index) => bytes(`blob ${index}`)));
      const gone = references.filter((_, index) => index % 3 !== 0);
      const kept = references.filter((_, index) => index % 3 === 0);
      await blobs.delete(gone);
      await blobs.delete(gone);
      assert.deepEqual(await listAll(blobs), kept.toSorted());
      assert.equal(await blobs.get(gone[0]!), undefined);
      assert.deepEqual(await blobs.get(kept[1]!), bytes('blob 3'));
      const [anew = ''] = await blobs.put([bytes('blob 1')]);
      assert.deepEqual(await blobs.get(anew), bytes('blob 1'));
    });

    it('agrees with a plain map over any sequence of puts, deletes and restarts', async () => {
      const step = fc.oneof(
        fc.record({ put: fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 }) }),
        fc.record({ delete: fc.nat(20) }),
        fc.record({ restart: fc.constant(true) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          await using place = await prepare();
          let blobs = await place.open();
          const model = new Map<string, Uint8Array>();
          for (const action of steps) {
            if ('put' in action) {
              const references = await blobs.put(action.put);
              assert.equal(references.length, action.put.length);
              for (const [index, reference] of references.entries()) model.set(reference, action.put[index]!);
            } else if ('delete' in action) {
              const reference = [...model.keys()][action.delete] ?? 'absent';
              await blobs.delete([reference]);
              model.delete(reference);
            } else {
              await blobs[Symbol.asyncDispose]();
              blobs = await place.open();
            }
          }
          assert.deepEqual(await listAll(blobs), [...model.keys()].sort());
          for (const [reference, value] of model) assert.deepEqual(await blobs.get(reference), value);
          await blobs[Symbol.asyncDispose]();
        }),
        { numRuns: 25 },
      );
    });
  },
);
