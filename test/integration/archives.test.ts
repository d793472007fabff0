import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { BlobWriter, TextReader, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js';
import { WARCParser } from 'warcio';
import type { App } from '../../src/app.ts';
import { startDemoSite } from '../../src/demo/server.ts';
import { AppError } from '../../src/errors.ts';
import { runJobs } from '../../src/jobs/runner.ts';
import { startCrawl } from '../../src/operations/crawls/start-crawl.ts';
import { ExportInput } from '../../src/operations/exports/export-input.ts';
import { openExport } from '../../src/operations/exports/open-export.ts';
import { readImport } from '../../src/operations/imports/read-import.ts';
import { receiveArchive } from '../../src/operations/imports/receive-archive.ts';
import { startImport } from '../../src/operations/imports/start-import.ts';
import { searchDocuments } from '../../src/operations/search/search-documents.ts';
import { SearchRequest } from '../../src/operations/search/search-schema.ts';
import { runIndexer } from '../../src/roles/indexer.ts';
import { runScheduler } from '../../src/roles/scheduler.ts';
import { runWorker } from '../../src/roles/worker.ts';
import { createEngine, type Engine, eventually } from '../support/engine.ts';
import { createHashEmbedder } from '../support/index-app.ts';
import { checkWithPython, findWarcio } from '../support/python-warcio.ts';
import { html, openSite, watchCrawls } from '../support/watch-crawls.ts';

/** No page of an archive is a reason to send a request. */
const noNetwork = {
  fetch: async () => {
    throw new AppError('CONNECT_FAILED', 'the network was asked');
  },
  [Symbol.asyncDispose]: async () => {},
};

const offline = () => createEngine({}, { fetcher: noNetwork, embedder: createHashEmbedder() });
const fileOf = (bytes: Buffer) => ({
  name: 'test.warc.gz',
  size: bytes.length,
  async *read(start: number, end?: number) {
    yield bytes.subarray(start, end);
  },
});
async function exportWarc(app: App, filter: object = {}): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of openExport(app, ExportInput.parse({ format: 'warc', ...filter })).body) pieces.push(piece);
  return Buffer.concat(pieces);
}
/** Imports an archive and waits until its crawl is over. */
async function importWarc(engine: Engine, bytes: Buffer) {
  const { untilCrawl, ended, compare } = watchCrawls(() => engine);
  const { id } = await startImport(engine.app, { name: 'test.warc.gz' });
  const row = await readImport(engine.app, id, fileOf(bytes));
  const crawl = await untilCrawl(id, ended);
  await compare(id);
  return { row, crawl };
}
const documentsOf = ({ database }: Engine) =>
  database.query<{ url: string }>(
    `SELECT url, title, language, version, encode(content_hash, 'hex') AS hash, metadata, content,
       (SELECT count(*) FROM chunks c WHERE c.document_id = d.id) AS chunks
     FROM documents d WHERE gone_at IS NULL AND deleted_at IS NULL ORDER BY url`,
  );
const indexed = (engine: Engine) =>
  eventually(
    () => engine.database.query<{ count: number }>('SELECT count(*) AS count FROM outbox'),
    ([row]) => row!.count === 0,
  );

const response = (url: string, body: string, more: Record<string, string> = {}) => {
  const block = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${body}`;
  const fields = {
    'WARC-Type': 'response',
    'WARC-Target-URI': url,
    'WARC-Date': '2021-02-03T04:05:06Z',
    'Content-Length': String(Buffer.byteLength(block)),
    ...more,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return gzipSync(`WARC/1.0\r\n${lines.join('')}\r\n${block}\r\n\r\n`);
};
const text = (n: number | string) =>
  `<title>Page ${n}</title><p>Number ${n} has words of its own, such as word${n}, that make it worth keeping.</p>`;

describe('archives', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'archives-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('export, then import into an empty instance: the same documents, passages and answers', {
    timeout: 120_000,
  }, async () => {
    await using site = await startDemoSite();
    await using engine = await createEngine({}, { embedder: createHashEmbedder() });
    for (const role of [runWorker, runScheduler, runIndexer]) engine.run(role);
    const { untilCrawl, ended } = watchCrawls(() => engine);
    // What a site repeats is learned from 20 pages on and depends on their order: fewer make the texts comparable.
    const paths = ['/', '/docs/', '/docs/start/', '/shop/', '/blog/'].map((path) => site.origin + path);
    const links = await engine.app.fetcher.fetch({ url: `${site.origin}/docs/` });
    const more = [
      ...Buffer.from(links.body)
        .toString()
        .matchAll(/href="(\/docs\/[^"#?]+)"/g),
    ].map(([, path]) => site.origin + path!);
    const { id } = await startCrawl(engine.app, { urls: [...new Set([...paths, ...more])].slice(0, 16) });
    await untilCrawl(id, ended);
    await indexed(engine);
    const documents = await documentsOf(engine);
    assert.ok(documents.length >= 8, `${documents.length} documents`);
    const archive = await exportWarc(engine.app);

    await using empty = await offline();
    for (const role of [runWorker, runScheduler, runIndexer]) empty.run(role);
    const { crawl } = await importWarc(empty, archive);
    assert.deepEqual([crawl.kind, crawl.status], ['import', 'completed']);
    await indexed(empty);
    assert.deepEqual(await documentsOf(empty), documents);
    for (const query of ['install', 'sensor api', 'how do I start', 'price', documents[0]!.url]) {
      const answers = await Promise.all(
        [engine, empty].map(async ({ app }) => {
          const { results } = await searchDocuments(app, SearchRequest.parse({ query, limit: 10 }));
          return results.map(({ url, content, score }) => [url, content, score.toFixed(4)]);
        }),
      );
      assert.deepEqual(answers[1], answers[0], query);
    }
    // As they were fetched, not as they were imported.
    const times = (each: Engine) =>
      each.database.query(
        `SELECT url, raw_meta ->> 'fetched_at' AS at FROM pages WHERE raw_meta ->> 'url' = url ORDER BY url`,
      );
    assert.deepEqual(await times(empty), await times(engine));

    const records: string[] = [];
    for await (const record of new WARCParser([archive].values() as never)) {
      await record.readFully(false);
      records.push(record.warcType!);
    }
    assert.equal(records[0], 'warcinfo');
    for (const type of ['request', 'response', 'metadata']) assert.ok(records.includes(type), type);
    await writeFile(join(folder, 'round-trip.warc.gz'), archive);
  });

  it('pass warcio check', { timeout: 120_000 }, async (context) => {
    const python = await findWarcio();
    if (python === undefined) return context.skip('needs python3 with the package warcio');
    const { code, output } = await checkWithPython(python, join(folder, 'round-trip.warc.gz'));
    assert.equal(code, 0, output);
  });

  it('hold a revisit for a page that did not change, and no secrets', async () => {
    await using site = await openSite((path, request, answer) => {
      if (path === '/robots.txt') return;
      answer.setHeader('etag', '"1"');
      answer.setHeader('set-cookie', 'session=secret-cookie');
      answer.setHeader('x-kept', 'yes');
      if (request.headers['if-none-match'] === '"1"') {
        answer.statusCode = 304;
        answer.end();
      } else html(answer);
    });
    await using engine = await createEngine({}, { embedder: createHashEmbedder() });
    for (const role of [runWorker, runScheduler]) engine.run(role);
    const { untilCrawl, ended } = watchCrawls(() => engine);
    for (const options of [{}, {}, { headers: { authorization: 'Bearer secret-header' } }]) {
      const { id } = await startCrawl(engine.app, { urls: [`${site.origin}/a`], options });
      await untilCrawl(id, ended);
    }
    for (const what of ['pages', 'tasks']) {
      const archive = await exportWarc(engine.app, { what });
      const found: string[] = [];
      let all = '';
      for await (const record of new WARCParser([archive].values() as never)) {
        const payload = await record.readFully(false);
        found.push(record.warcType!);
        all += record.httpHeaders?.toString() + Buffer.from(payload).toString();
      }
      assert.ok(all.includes('x-kept: yes') && !all.includes('secret'), all);
      if (what === 'tasks') assert.ok(found.includes('revisit'), found.join());
    }
  });

  it('come in as one crawl: refusals by code, times of the archive, once', async () => {
    await using engine = await offline();
    for (const role of [runWorker, runScheduler]) engine.run(role);
    await engine.database.query(
      `INSERT INTO domains (id, domain, is_active) VALUES (gen_random_uuid(), 'blocked.example', false)`,
    );
    const digest = { 'WARC-Payload-Digest': 'sha1:AAAA' };
    const archive = Buffer.concat([
      response('http://10.0.0.1/private', text(1), digest),
      response('http://10.0.0.1/same', '', {
        ...digest,
        'WARC-Type': 'revisit',
        'WARC-Profile': 'x/identical-payload-digest',
      }),
      response('http://x.example/lost', '', { 'WARC-Payload-Digest': 'sha1:BBBB', 'WARC-Type': 'revisit' }),
      response('http://x.example/a', text(2)),
      response('http://x.example/a', text(3), { 'WARC-Date': '2022-02-03T04:05:06Z' }),
      response('http://blocked.example/', text(4)),
      response('http://x.example/secret', `<meta name="robots" content="noindex">${text(5)}`),
      response('http://x.example/scripts', '<div id="root"></div><script src="/app.js"></script>'),
      response('http://x.example/future', text(6), { 'WARC-Date': '2999-01-01T00:00:00Z' }),
    ]);
    const { row, crawl } = await importWarc(engine, archive);
    assert.deepEqual([row.records, row.taken, row.ignored], [9, 5, 0]);
    const codes = Object.fromEntries(Object.entries(crawl.links_refused).map(([code, { count }]) => [code, count]));
    assert.deepEqual(codes, { RAW_MISSING: 1, CAPTURE_REPEATED: 1, DOMAIN_BLOCKED: 1, ARCHIVE_INVALID: 1 });
    const { tasksOf } = watchCrawls(() => engine);
    const ends = (await tasksOf(crawl.id)).map(({ url, status, code }) => [url, status, code]);
    assert.deepEqual(
      ends.find(([url]) => url === 'http://x.example/secret'),
      ['http://x.example/secret', 'skipped', 'NOINDEX'],
    );
    const times = await engine.database.query<{ url: string; past: boolean }>(
      `SELECT url, fetched_at = '2021-02-03T04:05:06Z' AS past FROM documents ORDER BY url`,
    );
    assert.deepEqual(
      times.map(({ url, past }) => [url, past]),
      [
        ['http://10.0.0.1/private', true],
        ['http://10.0.0.1/same', true],
        ['http://x.example/a', true],
      ],
    );

    const state = () =>
      engine.database.query(
        `SELECT (SELECT json_agg(d ORDER BY url) FROM documents d) AS documents, (SELECT json_agg(p ORDER BY url) FROM pages p) AS pages`,
      );
    const known = await state();
    const again = await importWarc(engine, archive);
    assert.equal(again.crawl.links_refused.NOT_NEWER?.count, 5);
    assert.equal(again.row.taken, 1, 'the newer capture of an address comes with the second import');
    const third = await importWarc(engine, archive);
    assert.deepEqual([third.row.taken, third.crawl.status, third.crawl.error_code], [0, 'failed', 'NOTHING_FETCHED']);
    const [before, now] = [known, await state()].map(([each]) =>
      (each as { documents: { url: string }[] }).documents.filter(({ url }) => url !== 'http://x.example/a'),
    );
    assert.deepEqual(now, before);
    const [newer] = await engine.database.query<{ title: string; version: number }>(
      `SELECT title, version FROM documents WHERE url = 'http://x.example/a'`,
    );
    assert.deepEqual(newer, { title: 'Page 3', version: 2 });
  });

  it('arrive over the network, go on after a crash, and leave what was fetched later alone', async () => {
    await using engine = await offline();
    const { app, database } = engine;
    const records = Array.from({ length: 450 }, (_, n) => response(`http://x.example/${n}`, text(n)));
    const { id } = await receiveArchive(
      app,
      fileOf(Buffer.concat(records)).read(0),
      { name: '../../etc/x.warc.gz' },
      'test',
    );
    // The process dies after the first batch.
    const die = new AbortController();
    const file = fileOf(Buffer.concat(records));
    await assert.rejects(readImport(app, id, file, { signal: die.signal, onBatch: () => die.abort() }));
    const [half] = await database.query<{ records: number; name: string }>('SELECT records, name FROM imports');
    assert.deepEqual(half, { records: 200, name: 'x.warc.gz' });
    for (const role of [runJobs, runWorker, runScheduler]) engine.run(role);
    const { untilCrawl, ended, compare } = watchCrawls(() => engine);
    const crawl = await untilCrawl(id, ended);
    assert.deepEqual([crawl.pages_discovered, crawl.pages_crawled, crawl.links_refused], [450, 450, {}]);
    await compare(id);
    const [done] = await database.query<{ records: number; blob_ref: string | null }>(
      'SELECT records, blob_ref FROM imports',
    );
    assert.deepEqual(done, { records: 450, blob_ref: null });
    await database.query(
      `UPDATE documents SET content = 'newer', content_hash = sha256('newer'), fetched_at = now() WHERE url = 'http://x.example/7'`,
    );
    await database.query(`UPDATE pages SET last_crawled_at = '2000-01-01' WHERE url = 'http://x.example/7'`);
    await importWarc(engine, records[7]!);
    const [kept] = await database.query<{ content: string }>(
      `SELECT content FROM documents WHERE url = 'http://x.example/7'`,
    );
    assert.equal(kept!.content, 'newer');
  });

  it('may be damaged: what stands before is kept, and the import says so', async () => {
    await using engine = await offline();
    for (const role of [runWorker, runScheduler]) engine.run(role);
    const filler = gzipSync(
      `WARC/1.0\r\nContent-Length: 300000\r\n\r\n${randomBytes(150_000).toString('hex')}\r\n\r\n`,
    );
    const cut = Buffer.concat([response('http://x.example/a', text(1)), filler, filler.subarray(0, 100_000)]);
    const { row, crawl } = await importWarc(engine, cut);
    assert.deepEqual([row.taken, row.problem?.code, crawl.status], [1, 'ARCHIVE_INVALID', 'completed']);
    const nothing = await importWarc(engine, Buffer.from('<html>no archive</html>'));
    assert.deepEqual([nothing.crawl.status, nothing.crawl.error_code], ['failed', 'ARCHIVE_INVALID']);
  });

  it('may be WACZ files, of which only the folder of archives is read', async () => {
    await using engine = await offline();
    for (const role of [runWorker, runScheduler]) engine.run(role);
    const zip = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
    const add = (name: string, bytes: Buffer, level = 0) => zip.add(name, new Uint8ArrayReader(bytes), { level });
    await zip.add('datapackage.json', new TextReader('{}'));
    await add('archive/data.warc.gz', response('http://x.example/a', text(1)));
    await add('archive/more.warc', response('http://x.example/b', text(2)), 6);
    await add('archive/../../evil.warc.gz', response('http://x.example/evil', text(3)));
    await add('indexes/index.warc.gz', response('http://x.example/index', text(4)));
    const wacz = Buffer.from(await (await zip.close()).arrayBuffer());
    const { row, crawl } = await importWarc(engine, wacz);
    assert.deepEqual([row.taken, row.problem, crawl.pages_crawled], [2, null, 2]);
    const { row: broken } = await importWarc(engine, wacz.subarray(0, -30));
    assert.deepEqual([broken.taken, broken.problem?.code], [0, 'ARCHIVE_INVALID']);
  });
});
