import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AppError } from '../../errors.ts';
import { createProgressView } from './progress.ts';
import { plain, table } from './terminal.ts';

describe('a command line that does not fit', () => {
  for (const [name, command, args, code] of [
    ['an unknown option', 'search', ['x', '--frobnicate'], 'USAGE'],
    ['nothing to search for', 'search', [], 'USAGE'],
    ['a missing operand', 'scrape', [], 'USAGE'],
    ['one operand too many', 'scrape', ['a', 'b'], 'USAGE'],
    ['a number that is none', 'crawl', ['https://example.com', '--depth', 'deep'], 'USAGE'],
    ['a number out of range', 'crawl', ['https://example.com', '--max-pages', '0'], 'USAGE'],
    ['a choice that is none', 'search', ['x', '--mode', 'magic'], 'USAGE'],
    ['an action that is none', 'keys', ['lend'], 'USAGE'],
    ['an action without its operand', 'keys', ['revoke'], 'USAGE'],
    ['an address that is none', 'scrape', ['http://'], 'URL_INVALID'],
    ['a private address', 'scrape', ['http://10.1.2.3/'], 'URL_BLOCKED'],
  ] as const)
    it(`${name}: ${code}, with a hint`, async () => {
      const { run } = (await import(`./${command}.ts`)) as { run(args: readonly string[]): Promise<void> };
      await assert.rejects(run(args), (error: AppError) => error.code === code && error.hint !== undefined);
    });
});

describe('progress', () => {
  const crawl = {
    status: 'running' as const,
    progress: 50,
    pages_discovered: 4,
    pages_crawled: 1,
    pages_failed: 0,
    pages_skipped: 1,
  };
  const record = (isTTY: boolean) => {
    const written: string[] = [];
    return { written, stream: { isTTY, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream };
  };

  it('is one line that changes on a terminal', () => {
    const { written, stream } = record(true);
    const view = createProgressView(stream, () => 0);
    view.show(crawl);
    view.show(crawl);
    view.end();
    assert.deepEqual(written, [
      `\r\u001b[K${'█'.repeat(12)}${'░'.repeat(12)} 50%, 1 fetched, 4 found, 1 skipped`,
      '\r\u001b[K',
    ]);
  });

  it('is a plain line now and then elsewhere', () => {
    const { written, stream } = record(false);
    let now = 0;
    const view = createProgressView(stream, () => now);
    view.show(crawl);
    view.show({ ...crawl, pages_crawled: 2 });
    now = 2_000;
    view.show({ ...crawl, pages_crawled: 3 });
    view.end();
    assert.deepEqual(written, ['50%, 1 fetched, 4 found, 1 skipped\n', '50%, 3 fetched, 4 found, 1 skipped\n']);
  });
});

it('columns stand under each other, and long lines are cut', () => {
  assert.equal(
    table(
      [
        ['a', 'bb', 'c'],
        ['aaa', 'b', 'cccccc'],
      ],
      10,
    ),
    'a    bb  c\naaa  b   …',
  );
});

it('text from the web cannot drive the terminal', () => {
  assert.equal(plain('a\u001b[31mb\u0007\tc\u009b1m'), 'a[31mb\tc1m');
});
