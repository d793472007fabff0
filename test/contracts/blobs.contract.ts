import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { BlobRange, Blobs } from '../../src/ports/blobs.ts';
import { assertAnswers, defineContract } from './support/contract.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const UNKNOWN = 'mi0000000000000000-0-0-00112233445566778899aabbccddeeff';

async function listAll(blobs: Blobs): Promise<string[]> {
  const all: string[] = [];
  for await (const batch of blobs.list()) all.push(...batch);
  return all.sort();
}

async function* pieces(all: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < all.length; at += length) yield all.slice(at, at + length);
}

async function readAll(
  blobs: Blobs,
  reference: string,
  range?: BlobRange,
): Promise<{ size: number; bytes: Uint8Array }> {
  const found = await blobs.read(reference, range);
  assert.ok(found !== undefined);
  const parts: Uint8Array[] = [];
  for await (const part of found.body) parts.push(part);
  return { size: found.size, bytes: new Uint8Array(Buffer.concat(parts)) };
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

    it('takes streams of any size, and gives them back whole and in ranges', async () => {
      await using place = await prepare();
      await using blobs = await place.open();
      for (const length of [0, 1, 1_000, 300_000, 3_000_000]) {
        const all = Uint8Array.from({ length }, (_, at) => (at * 7 + (at >> 8)) & 255);
        const { reference, size } = await blobs.write(pieces(all, 70_001));
        assert.equal(size, length);
        assert.deepEqual(await blobs.get(reference), all);
        assert.deepEqual(await readAll(blobs, reference), { size: length, bytes: all });
        for (const range of [
          { start: 0, end: 1 },
          { start: 5, end: 5 },
          { start: 999, end: 300_001 },
          { start: 262_143, end: 262_145 },
          { start: length - 1 },
          { start: length },
          { start: length + 10, end: length + 20 },
        ].filter(({ start }) => start >= 0))
          assert.deepEqual(await readAll(blobs, reference, range), {
            size: length,
            bytes: all.slice(range.start, range.end),
          });
        assert.equal((await blobs.write(pieces(all, 11_111))).reference, reference);
        await blobs.delete([reference]);
        assert.equal(await blobs.read(reference), undefined);
        assert.equal(await blobs.get(reference), undefined);
      }
      assert.deepEqual(await listAll(blobs), []);
    });

    it('reads what was put as a stream too, and lists what was streamed', async () => {
      await using place = await prepare();
      await using blobs = await place.open();
      const [small = ''] = await blobs.put([bytes('put before')]);
      const { reference: large } = await blobs.write(pieces(new Uint8Array(2_000_000), 65_536));
      assert.deepEqual(await readAll(blobs, small, { start: 4, end: 7 }), { size: 10, bytes: bytes('bef') });
      await using other = await place.open();
      assert.equal((await readAll(other, large)).bytes.length, 2_000_000);
      assert.deepEqual(await listAll(other), [large, small].sort());
    });

    it('asks a source for the next piece when it has taken the last one, and a store only for what is read', async () => {
      await using place = await prepare();
      await using blobs = await place.open();
      const piece = new Uint8Array(1024 * 1024);
      const total = 200;
      const rss = () => process.memoryUsage().rss / piece.length;
      const before = rss();
      let highest = 0;
      const { reference } = await blobs.write(
        (async function* () {
          for (let number = 0; number < total; number++) {
            piece.fill(number);
            highest = Math.max(highest, rss());
            yield piece;
          }
        })(),
      );
      const found = await blobs.read(reference);
      let read = 0;
      for await (const part of found!.body) {
        // One piece is filled again and again, so what was kept instead of written shows.
        assert.equal(part[0], Math.floor(read / piece.length) & 255);
        read += part.length;
        highest = Math.max(highest, rss());
      }
      assert.equal(read, total * piece.length);
      assert.ok(highest - before < total / 2, `${total} MB took ${Math.round(highest - before)} MB of memory`);
    });

    it('leaves nothing of a source that fails, and tells it when nobody reads on', async () => {
      await using place = await prepare();
      await using blobs = await place.open();
      const { reference: kept } = await blobs.write(pieces(new Uint8Array(700_000), 100_000));
      for (const good of [0, 1, 20]) {
        const failing = (async function* () {
          for (let number = 0; number < good; number++) yield new Uint8Array(100_000).fill(number + 1);
          throw new Error('the source broke');
        })();
        await assert.rejects(blobs.write(failing), /the source broke/);
      }
      assert.deepEqual(await listAll(blobs), [kept]);
      for await (const part of (await blobs.read(kept))!.body) {
        assert.ok(part.length > 0);
        break;
      }
      await blobs.delete([kept]);
      assert.deepEqual(await listAll(blobs), []);
    });

    it('gives links that lead to what they were made for, until they expire', async () => {
      await using place = await prepare();
      await using blobs = await place.open();
      const [reference = ''] = await blobs.put([bytes('linked')]);
      const blob = { reference, name: 'ünïcode "name".csv', contentType: 'text/csv' };
      const link = await blobs.link(blob, 60);
      assert.match(link, /^(https?:\/)?\/\S+$/);
      assert.notEqual(link, await blobs.link({ ...blob, name: 'other.csv' }, 60));
      if (blobs.openLink === undefined) return;
      const tokenOf = (path: string) => path.split('/').at(-1)!;
      await using other = await place.open();
      assert.deepEqual(await other.openLink!(tokenOf(link)), blob);
      await assert.rejects(blobs.openLink(tokenOf(await blobs.link(blob, -1))), { code: 'LINK_EXPIRED' });
      const token = tokenOf(link);
      for (let at = 0; at < token.length; at++) {
        const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'Q' : 'A'}${token.slice(at + 1)}`;
        assert.equal(await blobs.openLink(changed).catch(() => 'expired'), undefined, changed);
      }
      for (const rubbish of ['', '.', 'a.b', `${token}.x`, token.split('.')[0]!])
        assert.equal(await blobs.openLink(rubbish), undefined, rubbish);
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
