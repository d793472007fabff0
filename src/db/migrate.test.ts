import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestDatabase } from '../../test/support/database.ts';
import { AppError } from '../errors.ts';
import { type Migration, migrate, readMigrations } from './migrate.ts';

const file = (name: string, sql: string): Migration => ({ name, sql, checksum: sql });

test('all files apply to an empty database, and a second run applies none', async () => {
  await using database = await createTestDatabase({ migrated: false });
  assert.deepEqual(
    await migrate(database),
    readMigrations().map(({ name }) => name),
  );
  assert.deepEqual(await migrate(database), []);
});

test('the numbered files of a folder apply in order, and nothing else in it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-migrations-'));
  try {
    writeFileSync(join(folder, '0010_c.sql'), 'UPDATE a SET n = n * 2');
    writeFileSync(join(folder, '0002_b.sql'), 'INSERT INTO a VALUES (1)');
    writeFileSync(join(folder, '0001_a.sql'), 'CREATE TABLE a (n int)');
    for (const other of ['0003_d.sql.orig', 'README.md', 'draft.sql'])
      writeFileSync(join(folder, other), 'DROP TABLE a');
    await using database = await createTestDatabase({ migrated: false });
    const applied = await migrate(database, readMigrations(folder));
    assert.deepEqual(applied, ['0001_a.sql', '0002_b.sql', '0010_c.sql']);
    assert.deepEqual(await database.query('SELECT n FROM a'), [{ n: 2 }]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('several starts at once apply each file once', async () => {
  await using database = await createTestDatabase({ migrated: false });
  const files = [file('0001_a.sql', 'CREATE TABLE a (n int)'), file('0002_b.sql', 'INSERT INTO a VALUES (1)')];
  const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(database, files)));
  assert.deepEqual(runs.flat().sort(), ['0001_a.sql', '0002_b.sql']);
  assert.deepEqual(await database.query('SELECT n FROM a'), [{ n: 1 }]);
});

test('a run that is cut off in mid-file is finished by the next', async () => {
  await using database = await createTestDatabase({ migrated: false });
  const first = file('0001_a.sql', 'CREATE TABLE a (n int)');
  const second = 'CREATE TABLE b (n int); INSERT INTO b VALUES (1);';
  const cutOff = file('0002_b.sql', `${second} SELECT pg_terminate_backend(pg_backend_pid())`);
  await assert.rejects(migrate(database, [first, cutOff]), { code: 'DATABASE_DOWN' });
  assert.deepEqual(await migrate(database, [first, file('0002_b.sql', second)]), ['0002_b.sql']);
  assert.deepEqual(await database.query('SELECT n FROM b'), [{ n: 1 }]);
});

test('a file that was edited after it was applied is named, with what to do', async () => {
  await using database = await createTestDatabase({ migrated: false });
  await migrate(database, [file('0001_a.sql', 'CREATE TABLE a (n int)')]);
  const run = migrate(database, [file('0001_a.sql', 'CREATE TABLE a (n bigint)')]);
  await assert.rejects(run, (error) => {
    assert(error instanceof AppError);
    assert.equal(error.code, 'SCHEMA_CHANGED');
    assert.match(error.message, /0001_a\.sql/);
    assert.match(error.hint ?? '', /data folder/);
    return true;
  });
});

test('every table says what it is for, every key and index why it is there', async () => {
  await using database = await createTestDatabase();
  const silent = await database.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND obj_description(c.oid, 'pg_class') IS NULL
       AND c.relname NOT LIKE 'migrations%' AND (c.relkind = 'r' OR c.relkind = 'i'
       AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = c.oid))
     UNION ALL
     SELECT k.conname FROM pg_constraint k
     WHERE k.connamespace = 'public'::regnamespace AND k.contype IN ('u', 'f')
       AND obj_description(k.oid, 'pg_constraint') IS NULL`,
  );
  assert.deepEqual(silent, []);
});
