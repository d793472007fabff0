import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { newId } from '../../../src/ids.ts';
import { RESOURCES } from '../../../src/surfaces/cli/resources.ts';
import { listen } from '../../../src/surfaces/http/listen.ts';
import { ROUTES } from '../../../src/surfaces/http/routes/index.ts';
import { writeServerFile } from '../../../src/surfaces/server-file.ts';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { runCommand } from '../../support/command.ts';
import { startProgram, until } from '../../support/instance.ts';

const FIELDS: Record<string, string> = { crawl: 'crawl_id', collection: 'collection_id', config: 'crawl_config_id' };
/** The fields a schema takes. */
function shapeOf(schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return [];
  const { $ref, $defs, properties } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const named = $ref === undefined ? undefined : $defs?.[$ref.split('/').at(-1)!]?.properties;
  return Object.keys(properties ?? named ?? {});
}
const form = (path: string) => path.replace(/:\w+/g, ':');

describe('what can be looked after from the command line', () => {
  for (const [name, { actions }] of Object.entries(RESOURCES))
    for (const [step, action] of Object.entries(actions))
      it(`${name} ${step} is a route, and its options are fields of it`, () => {
        const route = ROUTES.find(({ method, path }) => method === action.method && form(path) === form(action.path));
        assert.ok(route, `${action.method} ${action.path}`);
        const known = [...shapeOf(route.query), ...shapeOf(route.body)];
        const sent = Object.entries(action.options ?? {}).flatMap(([option, kind]) =>
          kind === 'SWITCH' ? [] : [FIELDS[option] ?? option.replaceAll('-', '_')],
        );
        for (const field of [
          ...sent,
          ...(action.keep ?? []),
          ...(action.field === undefined ? [] : [action.field.replace('…', '')]),
        ])
          assert.ok(known.includes(field), `${field} is none of ${known.join(', ')}`);
      });
});

describe('looking after an installation', () => {
  let api: TestApi;
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-manage-'));
  before(async () => {
    api = await createTestApi({ guard: createGuard([]) });
    const { origin } = await listen(api.server, { host: '127.0.0.1', port: 0 });
    writeServerFile(folder, { origin, pid: process.pid, key: api.keys.admin });
  });
  after(async () => {
    await api[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  const ask = (...args: string[]) => runCommand(args, { DATA_DIR: folder });
  const json = async (...args: string[]) => {
    const outcome = await ask(...args, '--json');
    assert.equal(outcome.code, 0, outcome.stderr);
    return outcome.stdout
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  };

  it('a domain: policy, block, list, unblock', async () => {
    const [set] = await json('domains', 'set', 'shop.example', '--rate-limit-rps', '0.5', '--autothrottle', 'true');
    assert.deepEqual([set.rate_limit_rps, set.autothrottle], [0.5, true]);
    const [back] = await json('domains', 'set', 'shop.example', '--rate-limit-rps', 'default');
    assert.deepEqual([back.rate_limit_rps, back.autothrottle], [null, true]);
    await json('domains', 'block', 'shop.example', '--reason', 'they asked');
    const listed = await ask('domains', '--blocked', 'true');
    assert.match(listed.stdout, /^shop\.example\s+DOMAIN_BLOCKED/);
    assert.match(listed.stderr, /^1 domain$/m);
    const [open] = await json('domains', 'unblock', 'shop.example');
    assert.equal(open.is_blocked, false);
  });

  it('a source: a change keeps what it does not name', async () => {
    const [made] = await json(
      'sources',
      'add',
      'https://news.example/',
      '--name',
      'News',
      '--schedule-cron',
      '0 6 * * *',
      '--time-zone',
      'Europe/Berlin',
      '--options',
      '{"max_depth": 3}',
    );
    const [changed] = await json('sources', 'set', made.id, '--name', '2027');
    assert.deepEqual(
      [changed.name, changed.url, changed.schedule_cron, changed.time_zone, changed.options],
      ['2027', 'https://news.example/', '0 6 * * *', 'Europe/Berlin', { max_depth: 3 }],
    );
    const gone = await ask('sources', 'delete', made.id);
    assert.deepEqual([gone.code, gone.stdout, gone.stderr], [0, '', 'done\n']);
    const empty = await ask('sources');
    assert.deepEqual([empty.code, empty.stdout], [0, '']);
    assert.match(empty.stderr, /crawl4r sources add URL/);
  });

  it('tasks: add, pause, reprioritise, cancel', async () => {
    const [added] = await json('frontier', 'add', 'https://a.example/1', 'https://a.example/2', '--priority', 'low');
    assert.equal(added.added, 2);
    const tasks = await json('tasks', '--crawl', added.crawl.id);
    assert.deepEqual(
      tasks.map(({ priority }) => priority),
      [8, 8],
    );
    const [first] = await json('tasks', 'priority', tasks[0].id, '1');
    assert.equal(first.priority, 1);
    const [paused] = await json('crawls', 'pause', added.crawl.id);
    assert.equal(paused.status, 'paused');
    const [cleared] = await json('frontier', 'clear', '--crawl', added.crawl.id);
    assert.equal(cleared.cancelled, 2);
  });

  it('a webhook: made, changed, its messages, deleted', async () => {
    const url = 'https://hooks.example/in';
    const [made] = await json('webhooks', 'create', url, '--events', 'completed,alert.*');
    assert.match(made.secret, /^whsec_/);
    const [changed] = await json('webhooks', 'set', made.id, '--filter', '{"domains": ["a.example"]}');
    assert.deepEqual([changed.url, changed.events], [url, ['crawl.completed', 'alert.*']]);
    assert.deepEqual(changed.filter, { domains: ['a.example'] });
    const listed = await ask('webhooks');
    assert.match(listed.stdout, /on +crawl\.completed,alert\.\* +https:\/\/hooks\.example\/in/);
    assert.deepEqual(await json('webhooks', 'deliveries', made.id), []);
    assert.equal((await ask('webhooks', 'delete', made.id)).stderr, 'done\n');
  });

  it('events: the latest, and those that come', { timeout: 60_000 }, async () => {
    const [added] = await json('frontier', 'add', 'https://e.example/1');
    const past = await json('events', '--crawl', added.crawl.id, '--kinds', 'crawl.*', '--limit', '2');
    assert.deepEqual(
      past.map(({ kind }) => kind),
      ['crawl.created', 'crawl.progress'],
    );
    assert.match((await ask('events', '--crawl', added.crawl.id)).stdout, /crawl\.created {2}[0-9a-f-]{36} {2}\{/);
    const args = ['events', '--crawl', added.crawl.id, '--follow', '--json'];
    const following = startProgram(args, { DATA_DIR: folder });
    let out = '';
    following.child.stdout!.on('data', (text) => (out += text));
    await until(() => out.includes('crawl.progress'), 30_000);
    await json('crawls', 'cancel', added.crawl.id);
    await until(() => out.includes('crawl.cancelled'), 30_000);
    following.child.kill('SIGINT');
    assert.equal((await following.ended).code, 130);
    const log = await json('events', '--crawl', added.crawl.id);
    const lines = out.trim().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).position),
      log.slice(0, lines.length).map(({ position }) => position),
    );
  });

  it('a job: show, cancel, and no more than that', async () => {
    const [waiting, done] = [newId(), newId()];
    await api.app.database.query(
      `INSERT INTO jobs (id, kind, status) VALUES ($1, 'reindex', 'pending'), ($2, 'reindex', 'completed')`,
      [waiting, done],
    );
    const [cancelled] = await json('jobs', 'cancel', waiting);
    assert.equal(cancelled.status, 'cancelled');
    assert.equal((await json('jobs', 'show', waiting))[0].status, 'cancelled');
    const refused = await ask('jobs', 'cancel', done);
    assert.notEqual(refused.code, 0);
    assert.match(refused.stderr, /this job is completed[\s\S]*Only jobs that wait or run are cancelled/);
  });

  for (const [words, expected] of [
    [['domains', 'lend'], /has no action "lend"[\s\S]*Use one of: list, show/],
    [['tasks', 'show'], /ID is missing[\s\S]*Usage: crawl4r tasks show ID/],
    [['domains', 'set', 'a.example', '--rate-limit-rps', 'fast'], /--rate-limit-rps takes a number, not "fast"/],
    [['configs', 'add', 'x', '--options', '{'], /--options takes JSON/],
    [['frontier', 'clear'], /needs --crawl or --domain or --all/],
    [['jobs', '--frobnicate'], /unknown option/],
    [['tasks', '--status', 'lost'], /status/],
  ] as const)
    it(`${words.join(' ')}: ends with 2 and says how it is meant`, async () => {
      const outcome = await ask(...words);
      assert.equal(outcome.code, 2, outcome.stderr);
      assert.match(outcome.stderr, expected);
    });
});
