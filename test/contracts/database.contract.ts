import assert from 'node:assert/strict';
import { migrate } from '../../src/db/migrate.ts';
import { AppError } from '../../src/errors.ts';
import type { Database } from '../../src/ports/database.ts';
import { assertAnswers, defineContract } from './support/contract.ts';
import { until } from './support/until.ts';

/** What every driver of the database port must do. `open` gives a database the suite may fill as it likes. */
export const databaseContract = defineContract<() => Promise<Database>>('database', (it, open) => {
  it('says which engine answers', async () => {
    await assertAnswers(await open());
  });

  const sqlstateOf = (error: unknown) => (error as AppError).details?.sqlstate;

  it('the migrations apply', async () => {
    const database = await open();
    assert.notEqual((await migrate(database)).length, 0);
    assert.deepEqual(await migrate(database), []);
  });

  it('values come back in the promised types', async () => {
    const database = await open();
    const [row] = await database.query<Record<string, unknown>>(
      `SELECT 9007199254740991::int8 AS big, 12.5::numeric AS num, '2024-02-29T01:02:03.004Z'::timestamptz AS at,
           '\\x0102'::bytea AS bytes, '{"a":[1]}'::jsonb AS json, date '2024-02-29' AS day, '{1,NULL}'::int8[] AS bigs,
           '{"a b",c}'::text[] AS words, NULL::int AS none, true AS yes`,
    );
    assert.deepEqual(row, {
      big: 9007199254740991,
      num: 12.5,
      at: new Date('2024-02-29T01:02:03.004Z'),
      bytes: Buffer.from([1, 2]),
      json: { a: [1] },
      day: '2024-02-29',
      bigs: [1, null],
      words: ['a b', 'c'],
      none: null,
      yes: true,
    });
  });

  it('values are bound, never spliced', async () => {
    const database = await open();
    const hostile = `'; DROP TABLE crawls; --`;
    for (let use = 0; use < 5; use++) {
      const rows = await database.query('SELECT $1::text AS text, $2::text[] AS list', [hostile, [hostile, '{},"']]);
      assert.deepEqual(rows, [{ text: hostile, list: [hostile, '{},"'] }]);
    }
  });

  it('a transaction commits what its work did', async () => {
    const database = await open();
    const result = await database.transaction(async (tx) => {
      await tx.query(`INSERT INTO settings (key, value) VALUES ('kept', '1')`);
      await tx.query(`INSERT INTO settings (key, value) VALUES ('kept too', '2')`);
      return 'done';
    });
    assert.equal(result, 'done');
    const rows = await database.query(`SELECT key FROM settings WHERE key LIKE 'kept%' ORDER BY key`);
    assert.deepEqual(rows, [{ key: 'kept' }, { key: 'kept too' }]);
  });

  it('a transaction whose work rejects leaves nothing, and the rejection arrives', async () => {
    const database = await open();
    const reason = new Error('no');
    const run = database.transaction(async (tx) => {
      await tx.query(`INSERT INTO settings (key, value) VALUES ('lost', '1')`);
      await tx.query(`INSERT INTO settings (key, value) VALUES ('lost too', '2')`);
      assert.equal((await tx.query(`SELECT key FROM settings WHERE key LIKE 'lost%'`)).length, 2);
      throw reason;
    });
    await assert.rejects(run, (error) => error === reason);
    assert.deepEqual(await database.query(`SELECT key FROM settings WHERE key LIKE 'lost%'`), []);
  });

  it('a failed statement keeps its cause and SQLSTATE, alone and in a transaction', async () => {
    const database = await open();
    const twice = `INSERT INTO settings (key, value) VALUES ('twice', '1')`;
    await database.query(twice);
    const runs = [() => database.query(twice), () => database.transaction((tx) => tx.query(twice))];
    for (const run of runs)
      await assert.rejects(run(), (error) => {
        assert(error instanceof AppError);
        assert.equal(sqlstateOf(error), '23505');
        assert(error.cause instanceof Error);
        return true;
      });
    assert.match((await database.check()).version!, /^\d+/);
  });

  it('transactions that wait for each other are both done in the end', async () => {
    const database = await open();
    await database.query(`INSERT INTO settings (key, value) VALUES ('left', '0'), ('right', '0')`);
    let runs = 0;
    const both = Promise.withResolvers<void>();
    const add = (first: string, second: string) =>
      database.transaction(async (tx) => {
        const up = (key: string) =>
          tx.query(`UPDATE settings SET value = to_jsonb(value::int + 1) WHERE key = $1`, [key]);
        await up(first);
        if (++runs === 2) both.resolve();
        await both.promise;
        await up(second);
      });
    await Promise.all([add('left', 'right'), add('right', 'left')]);
    const rows = await database.query(`SELECT value FROM settings WHERE key IN ('left', 'right')`);
    assert.deepEqual(rows, [{ value: 2 }, { value: 2 }]);
    assert.equal(runs, 3, 'one of them was ended by the server and run again');
  });

  it('a conflict that does not pass is told after the fourth try, as one that may', async () => {
    const database = await open();
    let runs = 0;
    const conflict = `DO $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END $$`;
    const failing = (times: number) =>
      database.transaction(async (tx) => {
        if (++runs <= times) await tx.query(conflict);
        return runs;
      });
    assert.equal(await failing(3), 4);
    runs = 0;
    await assert.rejects(failing(9), (error) => {
      assert(error instanceof AppError);
      assert.deepEqual([error.code, error.retryable, sqlstateOf(error)], ['DATABASE_CONFLICT', true, '40001']);
      return true;
    });
    assert.equal(runs, 4);
  });

  it('more work than connections waits its turn', async () => {
    const database = await open();
    const sums = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        database.transaction((tx) => tx.query<{ n: number }>('SELECT $1::int + 1 AS n', [n])),
      ),
    );
    assert.deepEqual(
      sums.flat().map(({ n }) => n),
      Array.from({ length: 40 }, (_, n) => n + 1),
    );
  });

  it('a notice sent after listen resolved arrives, until the listener leaves', async () => {
    const database = await open();
    const heard: string[] = [];
    const listening = await database.listen('contract "odd" channel', (payload) => heard.push(payload));
    await database.query('SELECT pg_notify($1, $2)', ['contract "odd" channel', 'one']);
    await until(() => heard.length === 1);
    await listening[Symbol.asyncDispose]();
    await database.query('SELECT pg_notify($1, $2)', ['contract "odd" channel', 'two']);
    await database.check();
    assert.deepEqual(heard, ['one']);
  });

  it('a listener whose connection breaks listens again by itself', async () => {
    const database = await open();
    const heard: string[] = [];
    await using _listening = await database.listen('contract_again', (payload) => heard.push(payload));
    const ended = await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND pid <> pg_backend_pid()
           AND datname = current_database()`,
    );
    assert.notEqual(ended.length, 0);
    await until(async () => {
      await database.query(`SELECT pg_notify('contract_again', 'back')`);
      return heard.includes('back');
    });
  });

  it('a connection that breaks in mid-statement says DATABASE_DOWN, and the next one works', async () => {
    const database = await open();
    const broken = database.query('SELECT pg_terminate_backend(pg_backend_pid())');
    await assert.rejects(broken, { code: 'DATABASE_DOWN', retryable: true });
    const inside = database.transaction(async (tx) => {
      await tx.query(`INSERT INTO settings (key, value) VALUES ('cut off', '1')`);
      await tx.query('SELECT pg_terminate_backend(pg_backend_pid())');
    });
    await assert.rejects(inside, { code: 'DATABASE_DOWN' });
    assert.deepEqual(await database.query(`SELECT key FROM settings WHERE key = 'cut off'`), []);
  });

  it('a connection that breaks between two statements of a transaction ends it, and nothing else', async () => {
    const database = await open();
    const run = database.transaction(async (tx) => {
      await tx.query(`INSERT INTO settings (key, value) VALUES ('torn', '1')`);
      const [own] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await database.query('SELECT pg_terminate_backend($1, 5000)', [own!.pid]);
      await new Promise((done) => setTimeout(done, 50));
      await tx.query('SELECT 1');
    });
    await assert.rejects(run, { code: 'DATABASE_DOWN' });
    assert.deepEqual(await database.query(`SELECT key FROM settings WHERE key = 'torn'`), []);
  });

  it('its URL serves another client', async () => {
    const database = await open();
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(`SELECT count(*)::int AS n FROM migrations`);
    await client.end();
    assert(rows[0].n >= 1);
  });
});
