import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../src/ids.ts';
import { ensureDomainIds } from '../../src/pipeline/frontier/admit-tasks.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/engine.ts';

test('a domain that two processes enter at the same moment has one id, and both get it', async () => {
  await using database = await createTestDatabase();
  const id = newId();
  const asked = await database.transaction(async (tx) => {
    await tx.query(`INSERT INTO domains (id, domain) VALUES ($1, 'new.example')`, [id]);
    const waiting = ensureDomainIds(database, ['new.example', 'other.example']);
    await eventually(
      () =>
        database.query(
          'SELECT 1 FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT granted AND a.datname = current_database()',
        ),
      ({ length }) => length > 0,
    );
    return { waiting };
  });
  const ids = await asked.waiting;
  assert.deepEqual([ids.get('new.example'), ids.size], [id, 2]);
});
