import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_KINDS } from '../../db/events/kinds.ts';
import { includesEvent, MESSAGE_KINDS, Subscriptions, type WebhookEvent } from './webhook-events.ts';

const CASES: [subscribed: string[], event: WebhookEvent, included: boolean][] = [
  [['crawl.completed'], 'crawl.completed', true],
  [['crawl.completed'], 'crawl.failed', false],
  [['crawl.*'], 'crawl.failed', true],
  [['crawl.*'], 'crawl.started', true],
  [['crawl.*'], 'document.gone', false],
  [['alert.*'], 'alert.cleared', true],
  [['*'], 'product.price_changed', true],
  [['*'], 'crawl.page', false],
  [['crawl.*'], 'crawl.page', false],
  [['*', 'crawl.page'], 'crawl.page', true],
  [['document.*', 'source.run'], 'source.run', true],
];

for (const [subscribed, event, included] of CASES)
  test(`${subscribed.join(', ')} ${included ? 'holds' : 'does not hold'} ${event}`, () => {
    assert.equal(includesEvent(subscribed, event), included);
  });

test('the short names of the design mean the ends of a crawl, and each name counts once', () => {
  assert.deepEqual(Subscriptions.parse(['completed', 'failed', 'crawl.failed', 'crawl.page']), [
    'crawl.completed',
    'crawl.failed',
    'crawl.page',
  ]);
  for (const bad of [[], ['nonsense'], ['page.*'], ['crawl.created'], ['admin.action'], ['**']])
    assert.equal(Subscriptions.safeParse(bad).success, false, String(bad));
});

test('every kind that is read is one of the log, and the audit trail is none of them', () => {
  for (const kind of MESSAGE_KINDS) assert.ok(kind in EVENT_KINDS, kind);
  assert.equal((MESSAGE_KINDS as readonly string[]).includes('admin.action'), false);
});
