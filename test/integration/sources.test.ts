import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { controlCrawl } from '../../src/operations/crawls/control-crawl.ts';
import { createSource } from '../../src/operations/sources/create-source.ts';
import { getSource } from '../../src/operations/sources/get-source.ts';
import { nextRun } from '../../src/operations/sources/source.ts';
import { triggerSource } from '../../src/operations/sources/trigger-source.ts';
import { updateSource } from '../../src/operations/sources/update-source.ts';
import { startDueSources } from '../../src/scheduler/start-sources.ts';
import { createEngine, type Engine } from '../support/engine.ts';

let engine: Engine;
before(async () => {
  engine = await createEngine();
});
after(() => engine[Symbol.asyncDispose]());
beforeEach(() => engine.database.query('DELETE FROM sources').then(() => engine.database.query('DELETE FROM crawls')));

const input = {
  name: 'docs',
  url: 'http://example.com/',
  options: {},
  schedule_cron: '0 6 * * *',
  time_zone: 'UTC',
  is_active: true,
};
const comeDue = (id: string, ago: string) =>
  engine.database.query(`UPDATE sources SET next_run_at = now() - $2::interval WHERE id = $1`, [id, ago]);
const crawlsOf = (id: string) =>
  engine.database.query<{ id: string; kind: string; created_by: string }>(
    'SELECT id, kind, created_by FROM crawls WHERE source_id = $1 ORDER BY id',
    [id],
  );

describe('sources', () => {
  it('runs by the clock of its zone, across the change of the hour', () => {
    const at = (after: string) => nextRun('30 2 * * *', 'Europe/Berlin', new Date(after))!.toISOString();
    assert.equal(at('2026-03-27T12:00:00Z'), '2026-03-28T01:30:00.000Z');
    assert.equal(at('2026-06-01T12:00:00Z'), '2026-06-02T00:30:00.000Z');
  });

  it('a run that is due starts once, however many schedulers look and however many runs were missed', async () => {
    const { id } = await createSource(engine.app, input);
    await comeDue(id, '40 days');
    const started = await Promise.all(Array.from({ length: 6 }, () => startDueSources(engine.app)));
    assert.equal(
      started.reduce((sum, each) => sum + each, 0),
      1,
    );
    assert.deepEqual(
      (await crawlsOf(id)).map(({ kind, created_by }) => [kind, created_by]),
      [['source', 'schedule']],
    );
    const source = await getSource(engine.app, id);
    assert.ok(source.next_run_at!.getTime() > Date.now());
    assert.ok(source.last_crawled_at !== null);
    assert.equal(await startDueSources(engine.app), 0);
  });

  it('waits for the end of its last crawl, says so, and then runs', async () => {
    const { id } = await createSource(engine.app, input);
    await triggerSource(engine.app, id);
    await comeDue(id, '1 minute');
    assert.equal(await startDueSources(engine.app), 0);
    assert.ok((await getSource(engine.app, id)).waiting_since !== null);
    const [first] = await crawlsOf(id);
    await controlCrawl(engine.app, first!.id, 'cancel');
    assert.equal(await startDueSources(engine.app), 1);
    assert.equal((await getSource(engine.app, id)).waiting_since, null);
    assert.equal((await crawlsOf(id)).length, 2);
  });

  it('a run by hand leaves the schedule alone, and does not run beside another', async () => {
    const made = await createSource(engine.app, input);
    const crawl = await triggerSource(engine.app, made.id, 'me');
    assert.deepEqual((await getSource(engine.app, made.id)).next_run_at, made.next_run_at);
    await assert.rejects(triggerSource(engine.app, made.id), {
      code: 'STATE_CONFLICT',
      details: { crawl_id: crawl.id },
    });
  });

  it('a run that cannot start says why and goes on with the schedule', async () => {
    const { id } = await createSource(engine.app, { ...input, url: 'http://blocked.example/' });
    await engine.database.query(
      `INSERT INTO domains (id, domain, is_active) VALUES (gen_random_uuid(), 'blocked.example', false)`,
    );
    await comeDue(id, '1 minute');
    assert.equal(await startDueSources(engine.app), 0);
    const source = await getSource(engine.app, id);
    assert.match(source.last_error!, /^DOMAIN_BLOCKED/);
    assert.ok(source.next_run_at!.getTime() > Date.now());
  });

  it('one that is off, or has no schedule, never runs by itself; a change keeps a run that is due', async () => {
    const off = await createSource(engine.app, { ...input, is_active: false });
    const byHand = await createSource(engine.app, { ...input, schedule_cron: null });
    assert.deepEqual([off.next_run_at, byHand.next_run_at], [null, null]);
    const { id } = await createSource(engine.app, input);
    await comeDue(id, '1 minute');
    await updateSource(engine.app, id, { ...input, name: 'renamed' });
    assert.equal(await startDueSources(engine.app), 1);
    assert.equal((await updateSource(engine.app, id, { ...input, schedule_cron: null })).next_run_at, null);
  });
});
