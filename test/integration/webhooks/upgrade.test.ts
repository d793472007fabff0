import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrate, readMigrations } from '../../../src/db/migrate.ts';
import { claimDeliveries } from '../../../src/db/webhooks/claim-deliveries.ts';
import { newId } from '../../../src/ids.ts';
import { createTestDatabase } from '../../support/database.ts';

test('an installation with webhooks keeps them: names of events, addresses of crawls, messages that wait', async () => {
  await using database = await createTestDatabase({ migrated: false });
  const files = readMigrations();
  await migrate(
    database,
    files.filter(({ name }) => name < '0005'),
  );
  const [source, crawl, hook, delivery] = [newId(), newId(), newId(), newId()];
  await database.query(`INSERT INTO sources (id, name, url) VALUES ($1, 's', 'https://s.example/')`, [source]);
  await database.query(
    `INSERT INTO crawls (id, kind, urls, webhook_url, webhook_headers)
     VALUES ($1, 'urls', '{https://s.example/}', 'https://r.example/own', '{"https://r.example": {"names": ["x"], "values": "sealed"}}')`,
    [crawl],
  );
  await database.query(
    `INSERT INTO webhooks (id, source_id, url, secret, events) VALUES ($1, $2, 'https://r.example/', 'sealed', '{completed,failed}')`,
    [hook, source],
  );
  await database.query(
    `INSERT INTO webhook_deliveries (id, webhook_id, event, payload) VALUES ($1, $2, 'crawl.completed', '{}')`,
    [delivery, hook],
  );
  await migrate(database, files);
  const rows = await database.query<{ url: string; events: string[]; crawl_id: string | null; headers: object }>(
    'SELECT url, events, crawl_id, headers FROM webhooks ORDER BY url',
  );
  assert.deepEqual(
    rows.map(({ url, events, crawl_id, headers }) => [url, events, crawl_id, Object.keys(headers)]),
    [
      ['https://r.example/', ['crawl.completed', 'crawl.failed'], null, []],
      ['https://r.example/own', ['crawl.completed', 'crawl.failed', 'crawl.cancelled'], crawl, ['https://r.example']],
    ],
  );
  const due = await claimDeliveries(database, 10, 60);
  assert.deepEqual(
    due.map(({ id, attempts, max_attempts }) => [id, attempts, max_attempts]),
    [[delivery, 1, 9]],
  );
});
