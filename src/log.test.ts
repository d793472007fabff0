import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { AppError } from './errors.ts';
import { createLog, type LogOptions, writeLines } from './log.ts';

function capture(level: LogOptions['level'] = 'debug') {
  const lines: string[] = [];
  const log = createLog({ level, stream: { write: (line) => lines.push(line) } });
  return { log, lines, last: () => JSON.parse(lines.at(-1)!) as Record<string, unknown> };
}

test('one JSON line per event, with the fields of the child', () => {
  const { log, lines, last } = capture();
  log.child({ crawl: 'c1' }).child({ task: 't1' }).info('task.done', { ms: 5 });
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /^[^\n]+\n$/);
  const { time, ...rest } = last();
  assert.match(String(time), /^\d{4}-.*Z$/);
  assert.deepEqual(rest, { level: 'info', event: 'task.done', crawl: 'c1', task: 't1', ms: 5 });
});

test('lines below the level are not written', () => {
  const { log, lines } = capture('warn');
  log.info('a');
  log.debug('b');
  log.warn('c');
  assert.equal(lines.length, 1);
  const silent = capture('silent');
  silent.log.error('d');
  assert.equal(silent.lines.length, 0);
});

const SECRETS: Record<string, unknown>[] = [
  { password: 'hunter2' },
  { headers: { Authorization: 'Bearer hunter2' } },
  { headers: { 'set-cookie': ['sid=hunter2'] } },
  { nested: { deep: { apiKey: 'hunter2' } } },
  { api_key: 'hunter2', clientSecret: 'hunter2', sessionToken: 'hunter2' },
  { url: 'postgresql://user:hunter2@host/db' },
  { proxy: new URL('http://user:hunter2@10.0.0.1:8080') },
  { message: 'sent Bearer hunter2hunter2 to it' },
  { key: 'c4r_hunter2hunter2' },
  { link: 'https://x.test/?a=1&access_token=hunter2&b=2' },
  { error: new Error('failed for postgresql://u:hunter2@h/d') },
  { error: new AppError('ENGINE_DOWN', 'x', { details: { secretKey: 'hunter2' } }) },
];

for (const fields of SECRETS)
  test(`hides the secret in ${Object.keys(fields)[0]}: ${JSON.stringify(fields).slice(0, 60)}`, () => {
    const { log, lines } = capture();
    log.info('event', fields);
    assert.doesNotMatch(lines[0]!, /hunter2/);
    assert.match(lines[0]!, /\[hidden\]/);
  });

test('what only looks like a secret stays', () => {
  const { log, last } = capture();
  log.info('event', {
    token_count: 12,
    tokens: 5,
    tokenizer: 'wordpiece',
    url: 'https://x.test/a?q=1',
    keyword: 'key',
  });
  const { time, level, event, ...rest } = last();
  assert.deepEqual(rest, {
    token_count: 12,
    tokens: 5,
    tokenizer: 'wordpiece',
    url: 'https://x.test/a?q=1',
    keyword: 'key',
  });
});

test('an error of ours has its code and no stack, another one has its stack', () => {
  const { log, last } = capture();
  log.error('event', { error: new AppError('TIMEOUT', 'too slow') });
  assert.deepEqual(last().error, { code: 'TIMEOUT', message: 'too slow' });
  log.error('event', { error: new TypeError('bad') });
  assert.match(String((last().error as { stack: string }).stack), /log\.test\.ts/);
});

test('never throws and always writes one line of JSON', () => {
  const { log, lines } = capture();
  const ring: Record<string, unknown> = { big: 1n };
  ring.self = ring;
  log.info('event', { ring, at: new Date(Number.NaN), bytes: Buffer.alloc(3), map: new Map([['a', 1]]) });
  assert.equal(JSON.parse(lines[0]!).bytes, '[3 bytes]');
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.anything({ withDate: true, withBigInt: true, withMap: true })),
      (fields) => {
        lines.length = 0;
        log.info('event', fields);
        JSON.parse(lines[0]!);
        assert.equal(lines[0]!.indexOf('\n'), lines[0]!.length - 1);
      },
    ),
  );
});

test('a line has a bound, however much a caller sent, and still says what happened', () => {
  const { log, lines, last } = capture();
  const huge = [
    { text: 'x'.repeat(1e6) },
    { error: new AppError('TIMEOUT', '\u{1f600}"\\'.repeat(50_000), { details: { body: 'y'.repeat(1e6) } }) },
    { list: Array.from({ length: 5_000 }, (_, at) => `entry ${at} ${'z'.repeat(100)}`) },
    Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`${at}${'n'.repeat(1_000)}`, at])),
  ];
  for (const fields of huge) {
    log.warn('event', { request_id: 'r1', ...fields });
    assert.ok(Buffer.byteLength(lines.at(-1)!) <= 16_385, `${Buffer.byteLength(lines.at(-1)!)} bytes`);
    assert.equal(last().event, 'event');
  }
});

test('lines to a descriptor arrive all, whole and in order, the last ones when it ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  try {
    const fd = openSync(join(folder, 'lines'), 'a');
    const read = () => readFileSync(join(folder, 'lines'), 'utf8');
    {
      using stream = writeLines(fd);
      for (let at = 0; at < 1_000; at++) {
        stream.write(`${at} ${'x'.repeat(at)}\n`);
        if (at % 100 === 0) await new Promise((done) => setImmediate(done));
      }
      assert.ok(!read().includes('\n999 '), 'it is not written in the turn of the caller');
      while (!read().includes('\n999 ')) await new Promise((done) => setImmediate(done));
      stream.write('last\n');
    }
    const lines = read().trimEnd().split('\n');
    assert.deepEqual(lines, [...Array.from({ length: 1_000 }, (_, at) => `${at} ${'x'.repeat(at)}`), 'last']);
    closeSync(fd);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('lines that cannot be written in time are dropped and counted, and the memory stays bounded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  try {
    const fd = openSync(join(folder, 'lines'), 'a');
    {
      using stream = writeLines(fd);
      for (let at = 0; at < 20; at++) stream.write(`${'x'.repeat(1024 * 1024)}\n`);
    }
    const lines = readFileSync(join(folder, 'lines'), 'utf8').trimEnd().split('\n');
    assert.ok(lines.length < 8, `${lines.length} lines`);
    const { event, lines: dropped } = JSON.parse(lines.at(-1)!);
    assert.deepEqual([event, dropped], ['log_lines_dropped', 20 - (lines.length - 1)]);
    closeSync(fd);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
