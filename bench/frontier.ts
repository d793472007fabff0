import { parseArgs } from 'node:util';
import { type ClaimLimits, claimTasks } from '../src/db/frontier/frontier.ts';
import { migrate } from '../src/db/migrate.ts';
import { createEmbeddedDatabase } from '../src/drivers/database/embedded.ts';
import { createPostgresDatabase } from '../src/drivers/database/postgres.ts';
import type { Database } from '../src/ports/database.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

/**
 * Does a claim get slower when more tasks wait? The same claim on three databases of one server, in turns, so that
 * whatever else the machine does hits all three alike:
 *
 *   small     10,000 tasks on 10,000 domains, all due
 *   large     1,000,000 tasks on 10,000 domains, all due
 *   not_due   1,000,000 tasks on 10,000 domains, of which one in a hundred is due
 *
 *   --batches N   claims per database (100)
 *   --max N       tasks per claim (64)
 *   --tasks N     waiting tasks of the large ones (1000000)
 */
const { values } = parseArgs({
  options: {
    batches: { type: 'string', default: '100' },
    max: { type: 'string', default: '64' },
    tasks: { type: 'string', default: '1000000' },
    json: { type: 'boolean', default: false },
  },
});
const DOMAINS = 10_000;
const limits: ClaimLimits = {
  workerId: 'bench',
  max: Number(values.max),
  leaseMs: 120_000,
  // One task per domain and claim, in every database.
  defaultRps: 1,
  defaultConcurrency: 4,
  windowMs: 1_000,
  aheadMs: 0,
};

async function fill(database: Database, tasks: number): Promise<void> {
  await migrate(database);
  await database.query(
    `INSERT INTO domains (id, domain, waiting)
     SELECT gen_random_uuid(), 'site-' || n || '.example', true FROM generate_series(1, $1::int) n`,
    [DOMAINS],
  );
  await database.query(
    `INSERT INTO crawls (id, kind, urls, max_pages) VALUES (gen_random_uuid(), 'deep', '{}', $1::int)`,
    [tasks],
  );
  await database.query(
    `INSERT INTO tasks (id, crawl_id, domain_id, url, url_hash, rank)
     SELECT gen_random_uuid(), c.id, d.id, 'http://' || d.domain || '/' || n, sha256((d.domain || '/' || n)::bytea), n % 7
     FROM crawls c, domains d, generate_series(1, $1::int) n`,
    [tasks / DOMAINS],
  );
  await database.query('VACUUM (ANALYZE) tasks');
  await database.query('VACUUM (ANALYZE) domains');
}

/** Outside the clock: what was claimed is done, and its domains are as they were. */
async function settle(database: Database): Promise<void> {
  await database.query(
    `WITH done AS (UPDATE tasks SET status = 'completed' WHERE status = 'crawling' RETURNING domain_id)
     UPDATE domains SET next_at = '-infinity', waiting = true FROM done
     WHERE domains.id = done.domain_id AND EXISTS (
       SELECT 1 FROM tasks WHERE domain_id = domains.id AND status = 'pending' AND ready)`,
  );
}

interface Figures {
  claimed: number;
  times: number[];
}

async function claimOnce(database: Database, figures: Figures): Promise<void> {
  const started = performance.now();
  const tasks = await claimTasks(database, limits);
  figures.times.push(performance.now() - started);
  figures.claimed += tasks.length;
  await settle(database);
}

await using folder = await createTemporaryFolder('frontier');
await using server = await createEmbeddedDatabase({ dataDir: folder.path, poolSize: 2 });
const urlOf = (name: string) => server.url.replace(/\/[^/?]*(\?|$)/, `/${name}$1`);

const open = async (name: string, template?: string) => {
  await server.query(`CREATE DATABASE ${name} ${template === undefined ? '' : `TEMPLATE ${template}`}`);
  return createPostgresDatabase({ url: urlOf(name), poolSize: 1 });
};
console.error('filling …');
await using small = await open('small');
await fill(small, DOMAINS);
const draft = await open('draft');
await fill(draft, Number(values.tasks));
await draft[Symbol.asyncDispose]();
await using large = await open('large', 'draft');
await using notDue = await open('not_due', 'draft');
await notDue.query(
  `UPDATE domains SET next_at = now() + interval '1 day' WHERE id NOT IN (SELECT id FROM domains ORDER BY id LIMIT $1)`,
  [DOMAINS / 100],
);
await notDue.query('VACUUM (ANALYZE) domains');

const all: [string, Database, Figures][] = [
  ['small', small, { claimed: 0, times: [] }],
  ['large', large, { claimed: 0, times: [] }],
  ['not_due', notDue, { claimed: 0, times: [] }],
];
console.error('claiming …');
for (const [, database] of all)
  for (let warm = 0; warm < 5; warm++) await claimOnce(database, { claimed: 0, times: [] });
for (let batch = 0; batch < Number(values.batches); batch++)
  for (const [, database, figures] of all) await claimOnce(database, figures);

/** By the median claim: a single stall of the machine says nothing about the frontier. */
function perSecond({ claimed, times }: Figures): number {
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
  return Math.round((claimed / times.length / median) * 1_000);
}
const [smallRate, largeRate, notDueRate] = all.map(([, , figures]) => perSecond(figures)) as [number, number, number];
console.log(
  JSON.stringify({
    claims_per_second: { small: smallRate, large: largeRate, not_due: notDueRate },
    claimed: Object.fromEntries(all.map(([name, , { claimed }]) => [name, claimed])),
    large_to_small: Math.round((largeRate / smallRate) * 100) / 100,
    not_due_to_small: Math.round((notDueRate / smallRate) * 100) / 100,
  }),
);
