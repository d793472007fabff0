import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Blobs } from '../../ports/blobs.ts';
import { createFileBlobs } from './files.ts';

async function temporaryFolder(): Promise<{ folder: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'blobs-'));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

async function listAll(blobs: Blobs): Promise<string[]> {
  const all: string[] = [];
  for await (const batch of blobs.list()) all.push(...batch);
  return all;
}

const onlyPack = async (folder: string) =>
  join(folder, (await readdir(folder)).filter((file) => file.endsWith('.pack'))[0]!);

test('a torn end of a pack hides nothing that was acknowledged, at any length', async () => {
  await using place = await temporaryFolder();
  const { folder } = place;
  let first: string[];
  let size: number;
  {
    await using blobs = createFileBlobs({ folder });
    first = await blobs.put([Buffer.from('first'), Buffer.from('second')]);
    size = (await stat(await onlyPack(folder))).size;
    await blobs.put([randomBytes(500)]);
  }
  const pack = await onlyPack(folder);
  const whole = (await stat(pack)).size;
  for (const end of [whole - 1, whole - 300, size + 30, size + 10, size + 1, size]) {
    await truncate(pack, end);
    await using blobs = createFileBlobs({ folder });
    const listed = await listAll(blobs);
    assert.deepEqual(listed, first, `${end} of ${whole} bytes`);
    assert.deepEqual(await blobs.get(first[1]!), new Uint8Array(Buffer.from('second')));
  }
});

test('a block of which only the header reached the disk is not shared with later puts', async () => {
  await using place = await temporaryFolder();
  const { folder } = place;
  const bytes = randomBytes(2_000);
  let lost: string;
  {
    await using blobs = createFileBlobs({ folder });
    [lost = ''] = await blobs.put([bytes]);
  }
  const pack = await onlyPack(folder);
  const content = await readFile(pack);
  await writeFile(pack, content.fill(0, 100));
  await using blobs = createFileBlobs({ folder });
  const [reference = ''] = await blobs.put([bytes]);
  assert.notEqual(reference, lost);
  assert.deepEqual(await blobs.get(reference), new Uint8Array(bytes));
  await assert.rejects(blobs.get(lost));
});

test('rubbish behind a pack or in its list of the dead does no harm', async () => {
  await using place = await temporaryFolder();
  const { folder } = place;
  await using blobs = createFileBlobs({ folder });
  const [one = '', two = ''] = await blobs.put([Buffer.from('one'), Buffer.from('two')]);
  await blobs.delete([one]);
  await appendFile((await onlyPack(folder)).replace('.pack', '.dead'), '0.');
  await appendFile(await onlyPack(folder), randomBytes(200));
  await using again = createFileBlobs({ folder });
  assert.deepEqual(await listAll(again), [two]);
  await again.delete([two]);
  assert.equal(await again.get(two), undefined);
});

test('a pack that is mostly dead shrinks, what lives in it stays, and an empty one goes', async () => {
  await using place = await temporaryFolder();
  const { folder } = place;
  let references: string[];
  const items = Array.from({ length: 200 }, () => randomBytes(10_000));
  {
    await using blobs = createFileBlobs({ folder });
    references = await blobs.put(items);
  }
  const before = (await stat(await onlyPack(folder))).size;
  await using blobs = createFileBlobs({ folder, idleMs: -1 });
  const kept = references.filter((_, index) => index % 10 === 0);
  await blobs.delete(references.filter((reference) => !kept.includes(reference)));
  const after = (await stat(await onlyPack(folder))).size;
  assert.ok(after < before / 8, `${before} → ${after} bytes`);
  for (const reference of kept)
    assert.deepEqual(await blobs.get(reference), new Uint8Array(items[references.indexOf(reference)]!));
  await blobs.delete(kept);
  assert.deepEqual(await readdir(folder), []);
});

test('pages that share a template take little room', async () => {
  await using place = await temporaryFolder();
  const { folder } = place;
  const template = Array.from({ length: 150 }, () => `<div class="c">${randomBytes(40).toString('hex')}</div>`).join(
    '',
  );
  await using blobs = createFileBlobs({ folder });
  await blobs.put(Array.from({ length: 50 }, (_, index) => Buffer.from(`<h1>${index}</h1>${template}`)));
  const size = (await stat(await onlyPack(folder))).size;
  assert.ok(size < (50 * template.length) / 10, `${size} bytes for ${50 * template.length}`);
});
