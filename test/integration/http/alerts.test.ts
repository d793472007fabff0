import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../src/ids.ts';
import { raiseAlerts } from '../../../src/operations/alerts/set-alerts.ts';
import { checkAlerts } from '../../../src/scheduler/check-alerts.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { readLog } from '../../support/events.ts';

describe('alerts', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi();
  });
  after(() => api[Symbol.asyncDispose]());

  const hear = (id: string, secondsAgo: number) =>
    api.app.database.query(
      `INSERT INTO workers (id, role, host, pid, version, seen_at)
       VALUES ($1, 'worker', 'elsewhere', 7, '1', now() - $2::int * interval '1 second')
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
      [id, secondsAgo],
    );
  const list = async (parameters = '') => (await api.ok('GET', `/alerts${parameters}`)).items;
  const told = async (id: string) =>
    (await readLog(api.app.database)).filter(({ subject }) => subject === id).map(({ kind }) => kind);
  const raise = (kind: string, subject: string, severity: 'info' | 'critical' = 'info') =>
    api.app.database.transaction((tx) =>
      raiseAlerts(tx, [{ kind, subject, severity, message: 'm', value: 2, threshold: 1 }]),
    );

  it('a worker that goes silent raises one, and ends it when it is heard of again', async () => {
    await hear('w-1', 100);
    assert.equal(await checkAlerts(api.app), 0);
    await hear('w-1', 130);
    assert.equal(await checkAlerts(api.app), 1);
    assert.equal(await checkAlerts(api.app), 0, 'one that stands is raised once');
    const [alert, ...others] = await list('?status=firing');
    assert.equal(others.length, 0);
    assert.deepEqual(
      [alert.kind, alert.subject, alert.severity, alert.threshold],
      ['worker_silent', 'w-1', 'warning', 120],
    );
    assert.ok(alert.value >= 130 && alert.message.includes('elsewhere'), alert.message);
    await hear('w-1', 500);
    await checkAlerts(api.app);
    assert.ok((await api.ok('GET', `/alerts/${alert.id}`)).value >= 500, 'the value follows');
    await hear('w-1', 0);
    assert.equal(await checkAlerts(api.app), 1);
    const over = await api.ok('GET', `/alerts/${alert.id}`);
    assert.deepEqual([over.status, over.resolved_at !== null], ['resolved', true]);
    assert.deepEqual(await told(alert.id), ['alert.raised', 'alert.cleared']);
    await hear('w-1', 200);
    await checkAlerts(api.app);
    const [second] = await list('?status=open&kind=worker_silent');
    assert.notEqual(second.id, alert.id, 'the next time is another alert');
    await api.app.database.query('DELETE FROM workers');
    assert.equal(await checkAlerts(api.app), 1, 'a worker that left in order is not missed');
    await hear('w-2', 90_000);
    assert.equal(await checkAlerts(api.app), 0, 'nobody waits for longer than a day');
  });

  it('is acknowledged once, by name, and not when it is over', async () => {
    const [row] = await raise('disk_low', '');
    const acknowledge = () => api.call('POST', `/alerts/${row!.id}/acknowledge`);
    const first = (await acknowledge()).body;
    assert.deepEqual([first.status, /^key:/.test(first.acknowledged_by)], ['acknowledged', true]);
    assert.deepEqual((await acknowledge()).body, first);
    assert.deepEqual(await told(row!.id), ['alert.raised', 'alert.acknowledged']);
    assert.equal((await raise('disk_low', '')).length, 0, 'it still stands');
    await api.app.database.query('UPDATE alerts SET resolved_at = now() WHERE id = $1', [row!.id]);
    assert.equal((await acknowledge()).body.code, 'STATE_CONFLICT');
    await api.ok('POST', `/alerts/${newId()}/acknowledge`, undefined, 404);
  });

  it('are listed newest first, by status, severity and kind', async () => {
    for (const subject of ['a', 'b', 'c']) await raise('listed', subject, subject === 'b' ? 'critical' : 'info');
    const page = await api.ok('GET', '/alerts?kind=listed&limit=2');
    const rest = await api.ok('GET', `/alerts?kind=listed&limit=2&cursor=${page.next_cursor}`);
    assert.equal([...page.items, ...rest.items].map(({ subject }) => subject).join(''), 'cba');
    assert.deepEqual(
      (await list('?kind=listed&severity=critical')).map(({ subject }: { subject: string }) => subject),
      ['b'],
    );
    assert.equal((await list('?kind=listed&status=resolved')).length, 0);
    await api.ok('GET', '/alerts?status=nope', undefined, 400);
    await api.ok('GET', `/alerts/${newId()}`, undefined, 404);
  });

  it('that are silenced are not raised, until the silence ends', async () => {
    const silence = await api.ok('POST', '/alerts/silences', { kind: 'noisy', subject: 'x', reason: 'known' }, 201);
    assert.ok(Date.parse(silence.until) > Date.now() + 3_500_000);
    assert.equal((await raise('noisy', 'x')).length, 0);
    assert.equal((await raise('noisy', 'y')).length, 1, 'another subject');
    assert.equal((await raise('other', 'x')).length, 1, 'another rule');
    assert.equal((await api.ok('GET', '/alerts/silences')).items[0].id, silence.id);
    await api.ok('DELETE', `/alerts/silences/${silence.id}`, undefined, 204);
    await api.ok('DELETE', `/alerts/silences/${silence.id}`, undefined, 404);
    assert.equal((await raise('noisy', 'x')).length, 1);
    await api.ok('POST', '/alerts/silences', { kind: 'loud' }, 201);
    assert.equal((await raise('loud', 'anything')).length, 0, 'any subject');
    await api.app.database.query(`UPDATE alert_silences SET until = now() - interval '1 second'`);
    assert.equal((await raise('loud', 'anything')).length, 1);
    assert.deepEqual((await api.ok('GET', '/alerts/silences')).items, []);
    await api.ok('POST', '/alerts/silences', { duration_s: 1 }, 400);
  });

  it('raised by several at once are one', async () => {
    const raised = await Promise.all(Array.from({ length: 8 }, () => raise('race', 'x')));
    assert.equal(raised.flat().length, 1);
    assert.equal((await list('?kind=race')).length, 1);
  });
});
