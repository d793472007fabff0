import assert from 'node:assert/strict';
import { lstatSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DOCS } from '../../src/demo/content.ts';
import { expected } from '../../src/demo/expected.ts';
import { noBrowser } from '../support/browser.ts';
import { type CrawlResult, readCrawlResult } from '../support/crawl-result.ts';
import { createCaller, type Instance, killTree, runProgram, startInstance, until } from '../support/instance.ts';
import { visitPage } from '../support/visit-page.ts';

const CRAWL_MS = 100_000;
const linux = process.platform === 'linux' ? false : 'finds all processes of a tree through /proc';

/** One start with the demo, used by all that follows, in order; then the same with a power cut in the middle. */
describe('crawl4r up --demo', { timeout: 280_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-up-'));
  const dataDir = join(folder, 'data');
  let instance: Instance;
  let undisturbed: CrawlResult;
  before(async () => {
    instance = await startInstance(dataDir);
  });
  after(async () => {
    killTree(instance.child.pid!);
    await instance.ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('prints one box: where to look, how to get in, how to stop', () => {
    const talk = instance.talk();
    assert.equal(talk.match(/╭/g)?.length, 1);
    assert.match(talk, /│ Dashboard +http:\/\/127\.0\.0\.1:\d+\/login#token=[\w-]{20,} +│/);
    assert.match(talk, /│ Admin +admin@localhost \/ [\w-]{15,} +│/);
    assert.match(talk, /│ API key +c4r_[\w-]{20,} +│/);
    assert.match(talk, new RegExp(`│ Data +${dataDir} +│`));
    assert.match(talk, /│ Stop +Ctrl-C +│/);
    const widths = new Set([...talk.matchAll(/^[╭│╰].*$/gm)].map(([line]) => line.length));
    assert.equal(widths.size, 1, 'the frame is straight');
  });

  // UPDATE_SCREENSHOT=1 npm test test/e2e/up.test.ts renews the picture of the README.
  const picture = process.env.UPDATE_SCREENSHOT === '1' ? { picture: 'docs/screenshot.png' } : {};
  it('shows the crawl on its page, live, and answers a search there', { skip: noBrowser }, () =>
    visitPage(instance.loginLink, picture),
  );

  it('crawls all of the demo site; every other address has its reason', async () => {
    await until(() => instance.talk().includes('The demo crawl is'), CRAWL_MS);
    undisturbed = await readCrawlResult(dataDir);
    checkResult(undisturbed);
    assert.match(
      instance.talk(),
      /The demo crawl is completed: \d+ pages read, 6 skipped, 1 failed\.\nNot fetched, and why: /,
    );
  });

  it('finds a page by a phrase of it, first, and cites the place', async () => {
    await waitForIndex(instance);
    for (const { slug, phrase } of phrases()) {
      const { status, body } = await instance.call('POST', '/search', { query: phrase, limit: 3 });
      assert.equal(status, 200);
      const [first] = body.results;
      assert.equal(first.url, `${instance.demo}/docs/${slug}`, phrase);
      assert.ok(first.citation.startsWith(`${first.url}#:~:text=`), first.citation);
      assert.equal(body.degraded, false);
    }
  });

  it('keeps all of it from other users of the machine', { skip: process.platform === 'win32' }, () => {
    const open = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((path) => {
      const entry = lstatSync(join(dataDir, path), { throwIfNoEntry: false });
      return entry !== undefined && !entry.isSymbolicLink() && !entry.isSocket() && (entry.mode & 0o077) !== 0;
    });
    assert.deepEqual(open, []);
    assert.equal(statSync(dataDir).mode & 0o077, 0);
  });

  it('says what is wrong with a request: a code, a sentence, a hint', async () => {
    const unknown = '0199d7f0-0000-7000-8000-000000000000';
    const cases = [
      ['POST', '/crawl', { urls: ['not an address'] }, 400, 'URL_INVALID'],
      ['POST', '/crawl', { urls: ['http://192.168.0.1/'] }, 403, 'URL_BLOCKED'],
      ['POST', '/crawl', '{"urls": [', 400, 'JSON_INVALID'],
      ['GET', `/crawl/${unknown}`, undefined, 404, 'NOT_FOUND'],
      ['GET', `/documents/${unknown}`, undefined, 404, 'NOT_FOUND'],
      ['POST', '/search', { query: ' ' }, 400, 'QUERY_EMPTY'],
    ] as const;
    for (const [method, path, input, status, code] of cases) {
      const answer = await instance.call(method, path, input);
      assert.deepEqual([answer.status, answer.body.code], [status, code], path);
      assert.ok(answer.body.error.length > 10 && answer.body.hint.length > 10, JSON.stringify(answer.body));
      assert.doesNotMatch(JSON.stringify(answer.body), /\.ts:|\\n\s+at /);
    }
  });

  it('serves the commands of its data folder', async () => {
    const env = { DATA_DIR: dataDir };
    const status = await runProgram(['status', '--json'], env);
    assert.equal(JSON.parse(status.out).origin, instance.origin);
    const search = await runProgram(['search', phrases()[0]!.phrase, '--limit', '1'], env);
    assert.match(search.out, new RegExp(`/docs/${phrases()[0]!.slug}`));
    const lost = await runProgram(['crawl', 'http://no-such-host.invalid/'], env);
    assert.equal(lost.code, 3, lost.talk);
    assert.match(lost.talk, /DNS_FAILED[\s\S]*\(NOTHING_FETCHED\)\n {2}\S/);
    const page = await runProgram(['scrape', `${instance.demo}/docs/${DOCS[0]!.slug}`], env);
    assert.match(page.out, new RegExp(`# ${DOCS[0]!.title}`), page.talk);
  });

  it('runs beside a second start on the same data folder', async () => {
    const second = await startInstance(dataDir, instance.key);
    try {
      assert.notEqual(second.origin, instance.origin);
      assert.equal(second.demo, instance.demo);
      assert.equal((await second.call('GET', '/crawls')).body.items[0].urls[0], 'http://no-such-host.invalid/');
    } finally {
      second.child.kill('SIGTERM');
    }
    assert.equal((await second.ended).code, 0, second.talk());
    assert.equal((await instance.call('GET', '/health')).status, 200);
  });

  it('stops on SIGTERM within 30 s, ends with 0, and starts again at once with all it had', async () => {
    const started = performance.now();
    instance.child.kill('SIGTERM');
    const { code, talk } = await instance.ended;
    assert.equal(code, 0, talk);
    assert.ok(performance.now() - started < 30_000);
    const { key } = instance;
    instance = await startInstance(dataDir, key);
    await until(() => instance.talk().includes('The demo crawl is completed'), 20_000);
    const again = await readCrawlResult(dataDir);
    assertSame(again, undisturbed);
    assert.doesNotMatch(instance.talk(), /Admin|c4r_/, 'secrets are shown once');
    instance.child.kill('SIGTERM');
    assert.equal((await instance.ended).code, 0);
  });

  it('killed with all its processes in mid-crawl, it goes on where it was', { skip: linux }, async () => {
    const other = join(folder, 'killed');
    instance = await startInstance(other);
    const { key } = instance;
    const crawled = async () => (await instance.call('GET', '/crawls')).body.items[0]?.pages_crawled ?? 0;
    await until(async () => (await crawled()) >= 20, CRAWL_MS);
    killTree(instance.child.pid!);
    await instance.ended;
    const before = await readCrawlResult(other);
    assert.ok(before.status === 'running' && before.counters.pages_crawled! >= 20, JSON.stringify(before.counters));
    instance = await startInstance(other, key);
    await until(() => instance.talk().includes('The demo crawl is'), CRAWL_MS);
    const result = await readCrawlResult(other);
    checkResult(result);
    assertSame(result, undisturbed);
    await waitForIndex(instance);
    const { slug, phrase } = phrases().at(-1)!;
    const { body } = await createCaller(instance.origin, key)('POST', '/search', { query: phrase });
    assert.equal(body.results[0].url, `${instance.demo}/docs/${slug}`);
  });
});

/** Line by line: a difference of two whole results is a wall of text. */
function assertSame(actual: CrawlResult, wanted: CrawlResult): void {
  const lines = ({ tasks, documents, twice, ...rest }: CrawlResult) => [
    JSON.stringify(rest),
    ...twice,
    ...documents.map((path) => `document ${path}`),
    ...Object.entries(tasks).map(([path, ended]) => `${path} ${ended}`),
  ];
  const [now, before] = [new Set(lines(actual)), new Set(lines(wanted))];
  assert.deepEqual([[...now.difference(before)], [...before.difference(now)]], [[], []]);
}

function checkResult({ status, tasks, documents, twice, counters }: CrawlResult): void {
  const site = expected('');
  assert.equal(status, 'completed');
  assert.deepEqual(twice, []);
  const kept = new Set(documents);
  for (const path of site.crawled) assert.deepEqual([tasks[path], kept.has(path)], ['completed', true], path);
  for (const { url, code } of site.skipped) {
    assert.match(tasks[url] ?? 'not seen', new RegExp(`^(skipped|failed) ${code}$`), url);
    assert.ok(!kept.has(url), url);
  }
  for (const path of [...site.nearDuplicates.flat(), ...site.scripted, ...site.redirects.map(({ from }) => from)])
    assert.equal(tasks[path], 'completed', path);
  const ended = Object.values(tasks);
  const count = (how: string) => ended.filter((each) => each.startsWith(how)).length;
  assert.deepEqual(counters, {
    pages_discovered: ended.length,
    pages_crawled: count('completed'),
    pages_failed: count('failed'),
    pages_skipped: count('skipped'),
  });
}

/** A sentence of every fifth page of the documentation. */
function phrases(): { slug: string; phrase: string }[] {
  return DOCS.flatMap(({ slug, body }, at) => {
    const prose = body.split('\n').filter((line) => /^[A-Z]/.test(line));
    const sentences = prose.join(' ').match(/[A-Z][^.|`[]{25,120}\./g) ?? [];
    const phrase = sentences[Math.floor(sentences.length / 2)];
    return at % 5 === 0 && phrase !== undefined ? [{ slug, phrase }] : [];
  });
}

const waitForIndex = (instance: Instance) =>
  until(async () => (await instance.call('GET', '/stats')).body.outbox === 0, 60_000);
