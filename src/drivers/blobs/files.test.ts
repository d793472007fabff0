import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Blobs } from '../../ports/blobs.ts';
import { createFileBlobs } from './files.ts';

const openBlobs = (options: { folder: string; idleMs?: number }) =>
  createFileBlobs({ linkKey: async () => randomBytes(32), ...options });

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
    await using blobs = openBlobs({ folder });
    first = await blobs.put([Buffer.from('first'), Buffer.from('second')]);
    size = (await stat(await onlyPack(folder))).size;
    await blobs.put([randomBytes(500)]);
  }
  const pack = await onlyPack(folder);
  const whole = (await stat(pack)).size;
  for (const end of [whole - 1, whole - 300, size + 30, size + 10, size + 1, size]) {
    await truncate(pack, end);
    await using blobs = openBlobs({ folder });
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
    await using blobs = openBlobs({ folder });
    [lost = ''] = await blobs.put([bytes]);
  }
  const pack = await onlyPack(folder);
  const content = await readFile(pack);
  await writeFile(pack, content.fill(0, 100));
  await using blobs = openBlobs({ folder });
  const [reference = ''] = await blobs.put([bytes]);
  assert.notEqual(reference, lost);
  assert.deepEqual(await blobs.get(reference), new Uint8Array(bytes));
  await assert.rejects(blobs.get(lost));
});

test('rubbish behind a pack or in its list of the dead does no harm', async () => {
  await using place = await temporaryFolder();
  const { folder } = place;
  await using blobs = openBlobs({ folder });
  const [one = '', two = ''] = await blobs.put([Buffer.from('one'), Buffer.from('two')]);
  await blobs.delete([one]);
  await appendFile((await onlyPack(folder)).replace('.pack', '.dead'), '0.');
  await appendFile(await onlyPack(folder), randomBytes(200));
  await using again = openBlobs({ folder });
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
    await using blobs = openBlobs({ folder });
    references = await blobs.put(items);
  }
  const before = (await stat(await onlyPack(folder))).size;
  await using blobs = openBlobs({ folder, idleMs: -1 });
  const kept = references.filter((_, index) => index % 10 === 0);
  await blobs.delete(references.filter((reference) => !kept.includes(reference)));
  const after = (await stat(await onlyPack(folder))).size;
  assert.ok(after < before / 8, `${before} → ${after} bytes`);
  for (const reference of kept)
    assert.deepEqual(await blobs.get(reference), new Uint8Array(items[references.indexOf(reference)]!));
  await blobs.delete(kept);
  assert.deepEqual(await readdir(folder), []);
});

test('pages that share a template take little space', async () => {
  await using place = await temporaryFolder();
  const { folder } = place;
  const template = Array.from({ length: 150 }, () => `<div class="c">${randomBytes(40).toString('hex')}</div>`).join(
    '',
  );
  await using blobs = openBlobs({ folder });
  await blobs.put(Array.from({ length: 50 }, (_, index) => Buffer.from(`<h1>${index}</h1>${template}`)));
  const size = (await stat(await onlyPack(folder))).size;
  assert.ok(size < (50 * template.length) / 10, `${size} bytes for ${50 * template.length}`);
});

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

test('a large blob that was damaged on disk is told from a whole one', async () => {
  await using place = await temporaryFolder();
  const { folder } = place;
  await using blobs = openBlobs({ folder });
  const { reference } = await blobs.write(pieces(randomBytes(1_000_000)));
  const [file] = (await readdir(join(folder, 'objects'), { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const path = join(file!.parentPath, file!.name);
  const content = await readFile(path);
  content[500_000]! ^= 1;
  await writeFile(path, content);
  await assert.rejects(blobs.get(reference), /damaged/);
  await truncate(path, 400_000);
  await assert.rejects(blobs.get(reference), /damaged/);
});

test('what a writer left behind that was killed is neither listed nor kept for ever', async () => {
  await using place = await temporaryFolder();
  const { folder } = place;
  const { reference } = await openBlobs({ folder }).write(pieces(randomBytes(300_000)));
  const draft = join(folder, 'objects', '.tmp-left');
  await writeFile(draft, 'half');
  await using blobs = openBlobs({ folder });
  assert.deepEqual(await listAll(blobs), [reference]);
  await blobs.write(pieces(randomBytes(300_000)));
  assert.ok((await readdir(join(folder, 'objects'))).includes('.tmp-left'), 'another process may be writing it');
  await utimes(draft, new Date(0), new Date(0));
  await openBlobs({ folder }).write(pieces(randomBytes(300_000)));
  assert.ok(!(await readdir(join(folder, 'objects'))).includes('.tmp-left'));
});

test('large blobs are for our own account alone', async () => {
  await using place = await temporaryFolder();
  await using blobs = openBlobs(place);
  await blobs.write(pieces(randomBytes(300_000)));
  for (const entry of await readdir(join(place.folder, 'objects'), { recursive: true }))
    assert.equal((await stat(join(place.folder, 'objects', entry))).mode & 0o077, 0, entry);
});
