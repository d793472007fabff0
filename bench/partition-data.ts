import type { Database } from '../src/ports/database.ts';
import { DAYS } from './partition-table.ts';

const DOMAINS = 1_000;
const CRAWLS_A_DAY = 20;

/** Fills tables without looking at keys and indexes row by row: what is measured comes afterwards. */
async function load(database: Database, table: string, insert: string, rows: number): Promise<void> {
  const indexes = await database.query<{ name: string; def: string }>(
    `SELECT indexname AS name, indexdef AS def FROM pg_indexes WHERE tablename = $1 AND indexname NOT LIKE '%_pkey'`,
    [table],
  );
  for (const { name } of indexes) await database.query(`DROP INDEX ${name}`);
  await database.query('SET session_replication_role = replica');
  await database.query(insert, [rows]);
  await database.query('SET session_replication_role = origin');
  for (const { def } of indexes) await database.query(def.replace(' ON ONLY ', ' ON '));
  await database.query(`VACUUM (ANALYZE) ${table}`);
}

/** Crawls of the last days. Those of the last two have pages that wait; the rest is done. */
export async function fillTasks(database: Database, rows: number): Promise<void> {
  await database.query(
    `INSERT INTO domains (id, domain, waiting) SELECT gen_random_uuid(), 'site-' || n || '.example', true FROM generate_series(1, ${DOMAINS}) n`,
  );
  await database.query(
    `INSERT INTO crawls (id, kind, urls, max_pages, status)
     SELECT uuidv7(make_interval(days => -(n % ${DAYS}))), 'deep', '{}', 2000000000, 'running' FROM generate_series(0, ${DAYS * CRAWLS_A_DAY} - 1) n`,
  );
  await load(
    database,
    'tasks',
    `WITH crawl AS (SELECT id, row_number() OVER (ORDER BY id DESC) - 1 AS n FROM crawls),
       domain AS (SELECT id, domain, row_number() OVER (ORDER BY id) - 1 AS n FROM domains)
     INSERT INTO tasks (id, crawl_id, domain_id, url, url_hash, rank, status, completed_at)
     SELECT uuidv7(make_interval(days => -(c.n / ${CRAWLS_A_DAY})::int)), c.id, d.id, 'http://' || d.domain || '/articles/' || i,
       sha256((d.domain || i)::bytea), i % 7, CASE WHEN waits THEN 'pending' ELSE 'completed' END, CASE WHEN NOT waits THEN now() END
     FROM generate_series(1, $1::int) i JOIN crawl c ON c.n = i % ${DAYS * CRAWLS_A_DAY} JOIN domain d ON d.n = i % ${DOMAINS - 1}
       CROSS JOIN LATERAL (SELECT c.n < ${CRAWLS_A_DAY * 2} AND i % 2 = 0 AS waits) w`,
    rows,
  );
  await database.query('VACUUM (ANALYZE) domains');
}

const TIME = `now() - (n % ${DAYS}) * interval '1 day' - (n % 86000) * interval '1 s'`;

/** The logs, spread over the same days. */
export async function fillLogs(database: Database, rows: number): Promise<void> {
  await load(
    database,
    'task_errors',
    `INSERT INTO task_errors (id, task_id, attempt, category, code, message, occurred_at)
     SELECT uuidv7(), gen_random_uuid(), 1, 'http', 'HTTP_5XX', 'the site answered 503 ' || n, ${TIME} FROM generate_series(1, $1::int) n`,
    rows,
  );
  await load(
    database,
    'events',
    `INSERT INTO events (position, kind, subject, data, created_at)
     SELECT n, 'domain.unblocked', 'site-' || n % 1000, '{"domain": "site.example"}', ${TIME} FROM generate_series(1, $1::int) n`,
    rows,
  );
  await load(
    database,
    'stats',
    `INSERT INTO stats (bucket, domain, metric, value)
     SELECT ${TIME.replace('86000', '1')}, 'site-' || n, 'pages', n FROM generate_series(1, $1::int) n`,
    rows,
  );
}
