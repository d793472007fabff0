import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileFilter, type Facts, priceChange, WebhookFilter } from './webhook-filter.ts';

const [A, B] = ['01920000-0000-7000-8000-00000000000a', '01920000-0000-7000-8000-00000000000b'];
const page: Facts = { urls: ['https://shop.example.com/lamps/1'], collection_id: A, source_id: B };

const CASES: [name: string, filter: WebhookFilter, facts: Facts, passes: boolean][] = [
  ['nothing given', {}, page, true],
  ['the registrable domain', { domains: ['example.com'] }, page, true],
  ['the host', { domains: ['shop.example.com'] }, page, true],
  ['another host of the domain', { domains: ['www.example.com'] }, page, false],
  ['a domain that only ends alike', { domains: ['ample.com'] }, page, false],
  ['one of several domains', { domains: ['other.org', 'example.com'] }, page, true],
  ['host and port', { domains: ['127.0.0.1:81'] }, { ...page, urls: ['http://127.0.0.1:81/x'] }, true],
  ['another port', { domains: ['127.0.0.1:82'] }, { ...page, urls: ['http://127.0.0.1:81/x'] }, false],
  ['no address at all', { domains: ['example.com'] }, { ...page, urls: [] }, false],
  ['its collection', { collection_ids: [B, A] }, page, true],
  ['another collection', { collection_ids: [B] }, page, false],
  ['in no collection', { collection_ids: [A] }, { ...page, collection_id: null }, false],
  ['its source', { source_ids: [B] }, page, true],
  ['another source', { source_ids: [A] }, page, false],
  ['a pattern', { url_pattern: '/lamps/*' }, page, true],
  ['another pattern', { url_pattern: '/chairs/*' }, page, false],
  ['one part that fits and one that does not', { domains: ['example.com'], source_ids: [A] }, page, false],
  ['a price that changed enough', { min_price_change_percent: 10 }, { ...page, price_change: 10 }, true],
  ['a price that changed less', { min_price_change_percent: 10 }, { ...page, price_change: 9.9 }, false],
  ['no price', { min_price_change_percent: 10 }, page, true],
];

for (const [name, filter, facts, passes] of CASES)
  test(`${name}: ${passes ? 'passes' : 'is held back'}`, () => {
    assert.equal(compileFilter(WebhookFilter.parse(filter))(facts), passes);
  });

const offer = (price: string | null, currency = 'EUR') => ({
  price,
  currency,
  regular_price: null,
  availability: null,
});
const change = (before: ReturnType<typeof offer>, after: ReturnType<typeof offer>) =>
  priceChange({ product_id: A, url: 'https://example.com/', before, after });

test('a change of price is counted in percent of the price before, up or down', () => {
  assert.equal(change(offer('200.00'), offer('150.00')), 25);
  assert.equal(change(offer('200.00'), offer('250.00')), 25);
  assert.equal(change(offer('200.00'), offer('200.00')), 0);
  for (const [before, after] of [
    [offer(null), offer('1.00')],
    [offer('1.00'), offer(null)],
    [offer('0'), offer('1.00')],
    [offer('1.00', 'USD'), offer('1.00')],
  ] as const)
    assert.equal(change(before, after), Number.POSITIVE_INFINITY);
});

test('a hostile pattern costs one pass over the address', () => {
  const passes = compileFilter(WebhookFilter.parse({ url_pattern: '*a'.repeat(200) }));
  const started = performance.now();
  for (let round = 0; round < 1_000; round++) passes({ ...page, urls: [`https://x.test/${'a'.repeat(199)}b`] });
  assert.ok(performance.now() - started < 2_000);
});
