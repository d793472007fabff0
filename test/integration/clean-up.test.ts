import assert from 'node:assert/strict';
import { it } from 'node:test';
import { loadSettings } from '../../src/config/load.ts';
import { newId } from '../../src/ids.ts';
import { cleanUp } from '../../src/scheduler/clean-up.ts';
import { seedCrawl } from '../support/crawls.ts';
import { createTestDatabase } from '../support/database.ts';

it('what ran out is removed, what may still be used stays', async () => {
  await using database = await createTestDatabase();
  const user = newId();
  await database.query(`INSERT INTO users (id, email, password_hash, role) VALUES ($1, 'a@b.c', 'x', 'viewer')`, [
    user,
  ]);
  await database.query(
    `INSERT INTO sessions (id, token_hash, user_id, expires_at)
     VALUES (gen_random_uuid(), 'old', $1, now() - interval '1 minute'),
            (gen_random_uuid(), 'new', $1, now() + interval '1 minute')`,
    [user],
  );
  const other = newId();
  await database.query(`INSERT INTO users (id, email, role) VALUES ($1, 'd@e.f', 'viewer')`, [other]);
  await database.query(
    `INSERT INTO user_links (user_id, token_hash, purpose, expires_at)
     VALUES ($1, 'old', 'invite', now() - interval '1 minute'), ($2, 'new', 'reset', now() + interval '1 minute')`,
    [user, other],
  );
  await database.query(
    `INSERT INTO idempotency_keys (key, caller, route, request_hash, created_at)
     VALUES ('old', 'me', 'r', 'x', now() - interval '25 hours'), ('new', 'me', 'r', 'x', now() - interval '23 hours')`,
  );
  await seedCrawl(database, ['http://errors.test/']);
  const [task] = await database.query<{ id: string }>('SELECT id FROM tasks');
  for (const [code, days] of [
    ['OLD', 31],
    ['NEW', 29],
  ])
    await database.query(
      `INSERT INTO task_errors (id, task_id, attempt, category, code, message, occurred_at)
       VALUES ($1, $2, 1, 'network', $3, '', now() - $4::int * interval '1 day')`,
      [newId(), task!.id, code, days],
    );
  await database.query('DELETE FROM events');
  for (const [kind, days] of [
    ['crawl.progress', 31],
    ['crawl.completed', 29],
    ['admin.action', 364],
    ['admin.action', 366],
  ])
    await database.query(
      `INSERT INTO events (kind, subject, created_at) VALUES ($1, $2::text, now() - $2::int * interval '1 day')`,
      [kind, days],
    );
  for (const [name, days] of [
    ['old', -1],
    ['new', 1],
  ])
    await database.query(
      `INSERT INTO captures (id, kind, url, key, owner, page, blob_ref, bytes, content_type, expires_at)
       VALUES ($1, 'pdf', $2, 'k', 'me', '{}', 'r', 1, 'application/pdf', now() + $3::int * interval '1 day')`,
      [newId(), name, days],
    );
  for (const [resolution, days] of [
    ['minute', 8],
    ['minute', 6],
    ['hour', 91],
    ['hour', 89],
    ['day', 4_000],
  ])
    await database.query(
      `INSERT INTO stats (resolution, bucket, metric, value) VALUES ($1, now() - $2::int * interval '1 day', $2::text, 1)`,
      [resolution, days],
    );
  for (const [kind, days] of [
    ['old', 91],
    ['new', 89],
    ['open', null],
  ])
    await database.query(
      `INSERT INTO alerts (id, kind, message, raised_at, resolved_at)
       VALUES ($1, $2, '', now() - interval '1 year', now() - $3::int * interval '1 day')`,
      [newId(), kind, days],
    );
  await cleanUp({ database, settings: loadSettings({}).settings });
  const media = await database.query<{ what: string }>(
    `SELECT url AS what FROM captures UNION ALL SELECT metric FROM stats UNION ALL SELECT kind FROM alerts`,
  );
  assert.deepEqual(media.map(({ what }) => what).sort(), ['4000', '6', '89', 'new', 'new', 'open']);
  const left = await database.query<{ what: string }>(
    `SELECT convert_from(token_hash, 'UTF8') AS what FROM sessions UNION ALL SELECT key FROM idempotency_keys
     UNION ALL SELECT code FROM task_errors UNION ALL SELECT convert_from(token_hash, 'UTF8') FROM user_links`,
  );
  assert.deepEqual(
    left.map(({ what }) => what),
    ['new', 'new', 'NEW', 'new'],
  );
  const events = await database.query<{ subject: string }>('SELECT subject FROM events ORDER BY id');
  assert.deepEqual(
    events.map(({ subject }) => subject),
    ['29', '364'],
    'events survive by time alone, the audit trail by a time of its own',
  );
});
