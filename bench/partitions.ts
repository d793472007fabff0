import { randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { appendEvents } from '../src/db/events/append-events.ts';
import { insertTasks, type NewTask } from '../src/db/frontier/admit-tasks.ts';
import { claimTasks } from '../src/db/frontier/frontier.ts';
import { migrate } from '../src/db/migrate.ts';
import { finishTasks, insertTaskErrors } from '../src/db/tasks/finish-tasks.ts';
import { getTaskRow } from '../src/db/tasks/tasks.ts';
import { createEmbeddedDatabase } from '../src/drivers/database/embedded.ts';
import { createPostgresDatabase } from '../src/drivers/database/postgres.ts';
import { newId } from '../src/ids.ts';
import type { Database, Sql } from '../src/ports/database.ts';
import { fillLogs, fillTasks } from './partition-data.ts';
import { boundOf, DAYS, partition } from './partition-table.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

/**
 * Are tables that retention empties better partitioned by day? The statements of the program on both forms of the tables, in
 * turns, in two databases of one server: claims, stores, new tasks, a look at one task, a day of retention.
 *
 *   --rows N,N…   rows of tasks, and of each log where it is a million at most (10000,1000000)
 *   --rounds N    times each is measured (40)
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000,1000000' },
    rounds: { type: 'string', default: '40' },
    json: { type: 'boolean', default: false },
  },
});
const MAX_LOG_ROWS = 1_000_000;
const limits = {
  ...{
    workerId: 'bench',
    max: 64,
    leaseMs: 120_000,
    defaultRps: 1,
    defaultConcurrency: 4,
    windowMs: 1_000,
    aheadMs: 0,
  },
};
type Times = Record<string, number[]>;

await using folder = await createTemporaryFolder('partitions');
await using server = await createEmbeddedDatabase({
  dataDir: folder.path,
  poolSize: 2,
  durable: false,
  sharedBuffersMb: 512,
});

async function open(name: string, partitioned: boolean, rows: number): Promise<Database> {
  await server.query(`CREATE DATABASE ${name}`);
  const url = server.url.replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
  const database = await createPostgresDatabase({ url, poolSize: 1 });
  await migrate(database);
  if (partitioned) {
    await partition(database, { table: 'task_errors', column: 'occurred_at', over: 'time', key: 'occurred_at, id' });
    await partition(database, { table: 'events', column: 'created_at', over: 'time', key: 'created_at, id' });
    await partition(database, {
      table: 'stats',
      column: 'bucket',
      over: 'time',
      key: 'resolution, bucket, domain, metric',
    });
    await partition(database, {
      table: 'tasks',
      column: 'crawl_id',
      over: 'uuid',
      key: 'crawl_id, id',
      indexes: ['id'],
    });
  }
  await fillTasks(database, rows);
  await fillLogs(database, rows > MAX_LOG_ROWS ? 0 : rows);
  return database;
}

/** Names the crawl too, so that one partition is looked at: what the statements would say if the table were partitioned. */
const byCrawl = (database: Sql): Sql => ({
  query: (text, sent) =>
    database.query(
      text
        .replace('WHERE t.id = found.id', 'WHERE t.crawl_id = found.crawl_id AND t.id = found.id')
        .replace('WHERE t.id = x.id AND t.attempt', 'WHERE t.crawl_id = x.crawl_id AND t.id = x.id AND t.attempt')
        .replace('id uuid, attempt int, status text', 'id uuid, crawl_id uuid, attempt int, status text'),
      sent,
    ),
});

async function timed<T>(times: Times, name: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  times[name] = [...(times[name] ?? []), performance.now() - started];
  return result;
}

async function round(database: Database, sql: Sql, times: Times): Promise<void> {
  await database.query(`UPDATE domains SET next_at = '-infinity', waiting = true WHERE next_at > '-infinity'`);
  const claimed = await timed(times, 'claim', () => claimTasks(sql, limits));
  if (claimed.length === 0) throw new Error('nothing is left to claim');
  const rest = { code: null, message: null, http_status: 200, response_ms: 1, raw_ref: null, raw_meta: null };
  const outcomes = claimed.map(({ id, crawl_id, attempt }) => ({
    ...{ id, crawl_id, attempt, status: 'completed' as const, delay_ms: 0, failed: 0, ...rest },
  }));
  await timed(times, 'finish', () => finishTasks(sql, limits.workerId, outcomes));
  const parent = claimed[0]!;
  const task = (): NewTask => ({
    ...{
      id: newId(),
      crawl_id: parent.crawl_id,
      domain_id: parent.domain_id,
      parent_id: null,
      url: 'http://new.example/',
    },
    ...{ url_hash: randomBytes(32).toString('hex'), depth: 1, rank: 1, priority: 5, score: null, is_recurring: false },
    ...{ interval_s: null, visit: 0, delay_ms: 0, max_retries: 3, created_by: 'link', status: 'pending' },
  });
  const tasks = Array.from({ length: 200 }, task);
  await timed(times, 'insert', () => insertTasks(sql, tasks, [{ id: parent.crawl_id, free: 1_000 } as never]));
  await timed(times, 'look', () => getTaskRow(database, parent.id));
  const error = { attempt: 1, category: 'http', code: 'HTTP_5XX', message: 'the site answered 503', stack: null };
  const errors = claimed.map(({ id }) => ({ id: newId(), task_id: id, worker_id: 'bench', proxy_id: null, ...error }));
  await timed(times, 'task_errors', () => insertTaskErrors(database, errors));
  const data = { domain: 'site.example' };
  const events = claimed.map(() => ({ kind: 'domain.unblocked' as const, subject: 'site.example', data }));
  await timed(times, 'events', () => database.transaction((tx) => appendEvents(tx, events)));
  await timed(times, 'stats', () =>
    database.query(
      `INSERT INTO stats (bucket, domain, metric, value) SELECT now(), 'site-' || n, $1, n FROM generate_series(1, 64) n`,
      [newId()],
    ),
  );
}

/** A day of retention: the oldest day leaves, and the space is usable again. */
async function retire(database: Database, partitioned: boolean, times: Times): Promise<void> {
  for (const [table, column, over] of [
    ['tasks', 'crawl_id', 'uuid'],
    ['task_errors', 'occurred_at', 'time'],
    ['events', 'created_at', 'time'],
    ['stats', 'bucket', 'time'],
  ] as const)
    await timed(times, `retire ${table}`, async () => {
      if (partitioned) return void (await database.query(`DROP TABLE ${table}_day_${DAYS - 1}`));
      await database.query(`DELETE FROM ${table} WHERE ${column} < ${boundOf(over, DAYS - 2)}`);
      await database.query(`VACUUM ${table}`);
    });
}

const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
const rounded = (value: number) => Math.round(value * 100) / 100;

const result: Record<string, unknown> = {};
for (const rows of values.rows.split(',').map(Number)) {
  console.error(`filling ${rows} …`);
  const [plain, parts] = await Promise.all([open(`plain_${rows}`, false, rows), open(`parts_${rows}`, true, rows)]);
  const [plainTimes, partTimes, warm]: Times[] = [{}, {}, {}];
  console.error('measuring …');
  const rounds = Math.min(Number(values.rounds), Math.floor(rows / 1_500));
  for (let n = -3; n < rounds; n++) {
    await round(plain, plain, n < 0 ? warm! : plainTimes!);
    await round(parts, byCrawl(parts), n < 0 ? warm! : partTimes!);
  }
  await retire(plain, false, plainTimes!);
  await retire(parts, true, partTimes!);
  result[rows] = Object.fromEntries(
    Object.keys(plainTimes!).map((name) => {
      const [a, b] = [median(plainTimes![name]!), median(partTimes![name]!)];
      return [name, { plain_ms: rounded(a), partitioned_ms: rounded(b), ratio: rounded(b / a) }];
    }),
  );
  console.error(JSON.stringify(result[rows]));
  for (const [name, database] of [
    ['plain', plain],
    ['parts', parts],
  ] as const) {
    await database[Symbol.asyncDispose]();
    await server.query(`DROP DATABASE ${name}_${rows}`);
  }
}
console.log(JSON.stringify({ load: loadavg().map(rounded), rows: result }));
