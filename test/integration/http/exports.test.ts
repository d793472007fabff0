import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Uint8ArrayReader, ZipReader } from '@zip.js/zip.js';
import { parquetReadObjects } from 'hyparquet';
import { ensureLinkKey } from '../../../src/db/admin/link-key.ts';
import { upsertDocuments } from '../../../src/db/documents/documents.ts';
import { createFileBlobs } from '../../../src/drivers/blobs/files.ts';
import { newId } from '../../../src/ids.ts';
import { runJobs } from '../../../src/jobs/runner.ts';
import type { Blobs } from '../../../src/ports/blobs.ts';
import { hashUrl } from '../../../src/web/url.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/engine.ts';

const PAGES = 2_500;

describe('exports over HTTP', () => {
  let folder: string;
  let api: TestApi;
  let blobs: Blobs;
  let origin: string;
  let collection: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'exports-'));
    api = await createTestApi();
    const { database } = api.app;
    blobs = createFileBlobs({ folder, linkKey: () => ensureLinkKey(database, api.app.secrets) });
    Object.assign(api.app, { blobs });
    origin = await api.server.listen({ host: '127.0.0.1', port: 0 });
    await database.query(
      `INSERT INTO domains (id, domain) SELECT gen_random_uuid(), d FROM unnest('{a.example,b.example}'::text[]) d`,
    );
    await database.query(
      `INSERT INTO pages (id, url, url_hash, domain_id, title, http_status, visits)
       SELECT ('01920000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'http://' || d.domain || '/' || n, sha256((n || '')::bytea), d.id,
         CASE WHEN n % 100 = 0 THEN '=cmd|x!A1' ELSE 'Page, "' || n || '"' END, 200, n
       FROM generate_series(1, ${PAGES}) n JOIN domains d ON d.domain = CASE WHEN n % 5 = 0 THEN 'b.example' ELSE 'a.example' END`,
    );
    await database.query(
      `INSERT INTO links (page_id, urls, anchors, rels)
       SELECT id, array_agg('http://x.example/' || k), array_agg('to ' || k), array_agg(''::text) FROM pages, generate_series(1, 3) k
       WHERE visits <= 500 GROUP BY id`,
    );
    collection = (await api.ok('POST', '/collections', { name: 'Docs [1]', description: 'What\nit is.' }, 201)).id;
    const texts = [
      'http://a.example/docs/one',
      'http://a.example/docs/Two',
      'http://a.example/docs/two',
      'http://b.example/',
    ];
    await database.transaction((tx) =>
      upsertDocuments(
        tx,
        texts.map((url, n) => ({
          id: newId(),
          url,
          url_hash: hashUrl(url).toString('hex'),
          domain: new URL(url).host,
          page_id: null,
          parent_task_id: null,
          title: `Title [${n}]`,
          content: `# Text ${n}`,
          content_hash: hashUrl(String(n)).toString('hex'),
          language: 'en',
          content_type: 'text/html',
          kind: null,
          source: 'crawl' as const,
          collection_id: collection,
          source_id: null,
          metadata: { description: `About ${n}` },
          chunking: {},
          priority: 5,
        })),
      ),
    );
  });
  after(async () => {
    api.server.server.closeAllConnections();
    await api[Symbol.asyncDispose]();
    await blobs[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const get = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}/api/v1${path}`, { ...init, headers: { authorization: `Bearer ${api.keys.read}` } });
  const bytesOf = async (path: string) => {
    const answer = await get(path);
    assert.equal(answer.status, 200, path);
    return Buffer.from(await answer.arrayBuffer());
  };
  const linesOf = (bytes: Buffer) =>
    bytes
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  it('give every row once, newest first, as a download', async () => {
    const answer = await get('/export?format=jsonl&what=pages');
    assert.match(answer.headers.get('content-disposition')!, /^attachment; filename="crawl4r-pages-[\d-]+\.jsonl"$/);
    assert.equal(answer.headers.get('content-type'), 'application/jsonl; charset=utf-8');
    assert.equal(answer.headers.get('content-security-policy'), "sandbox; default-src 'none'");
    const rows = linesOf(Buffer.from(await answer.arrayBuffer()));
    assert.deepEqual(
      rows.map(({ visits }) => visits),
      Array.from({ length: PAGES }, (_, n) => PAGES - n),
    );
  });

  it('go on after the last row that arrived', async () => {
    const whole = (await bytesOf('/export?format=jsonl&what=pages')).toString();
    const stop = new AbortController();
    const cut = await get('/export?format=jsonl&what=pages', { signal: stop.signal });
    const reader = cut.body!.getReader();
    let part = '';
    while (part.length < 50_000) part += Buffer.from((await reader.read()).value!).toString();
    stop.abort();
    const kept = part.slice(0, part.lastIndexOf('\n') + 1);
    const { id } = JSON.parse(kept.trimEnd().split('\n').at(-1)!);
    const rest = (await bytesOf(`/export?format=jsonl&what=pages&cursor=${id}`)).toString();
    assert.ok(kept + rest === whole && rest.length < whole.length);
    const links = linesOf(await bytesOf('/export?format=jsonl&what=links'));
    assert.equal(links.length, 1_500);
    assert.deepEqual(
      linesOf(await bytesOf(`/export?format=jsonl&what=links&cursor=${links[700].id}`)),
      links.slice(701),
    );
  });

  it('take the filters of the list, and refuse those of another', async () => {
    const rows = linesOf(await bytesOf('/export?format=jsonl&what=pages&domain=b.example'));
    assert.equal(rows.length, PAGES / 5);
    const documents = linesOf(await bytesOf(`/export?format=jsonl&collection_id=${collection}&query=two`));
    assert.deepEqual(
      documents.map(({ url, content }) => [url, content]),
      [
        ['http://a.example/docs/two', '# Text 2'],
        ['http://a.example/docs/Two', '# Text 1'],
      ],
    );
    for (const [query, field] of [
      ['format=jsonl&what=pages&brand=x', 'brand'],
      ['format=jsonl&what=products&min_price=cheap', 'min_price'],
      ['format=md&what=pages', 'what'],
      ['format=warc&what=products', 'what'],
      ['format=jsonl&what=pages&cursor=01920000-0000-7000-8000-000000000001:1', 'cursor'],
      ['format=jsonl&cursor=x', 'query.cursor'],
      ['format=xml', 'query.format'],
      ['format=jsonl&nonsense=1', 'query'],
      ['format=jsonl&domain=a%20b', 'path.domain'],
    ]) {
      const refused = await api.call('GET', `/export?${query}`);
      assert.deepEqual([refused.status, refused.body.code], [400, 'VALIDATION_FAILED'], query);
      assert.ok(field! in refused.body.details, JSON.stringify(refused.body));
    }
    assert.equal((await fetch(`${origin}/api/v1/export?format=jsonl`)).status, 401);
  });

  it('come as CSV without formulas, as Parquet, and as Markdown files', async () => {
    const csv = (await bytesOf('/export?format=csv&what=pages&query=cmd')).toString().split('\r\n');
    assert.equal(csv.length, 1 + PAGES / 100 + 1);
    assert.ok(csv.slice(1, -1).every((line) => line.includes(",'=cmd|x!A1,")));
    const parquet = await bytesOf('/export?format=parquet&what=pages');
    const file = parquet.buffer.slice(parquet.byteOffset, parquet.byteOffset + parquet.length) as ArrayBuffer;
    const rows = await parquetReadObjects({ file });
    assert.deepEqual([rows.length, rows[0]!.visits, rows[0]!.discovered_at instanceof Date], [PAGES, PAGES, true]);
    const zip = await new ZipReader(new Uint8ArrayReader(await bytesOf('/export?format=md'))).getEntries();
    assert.equal(new Set(zip.map(({ filename }) => filename.toLowerCase())).size, 4);
    assert.match(zip[0]!.filename, /^b\.example\/index-[0-9a-f]{12}\.md$/);
  });

  it('break off when they fail on the way: no part passes for the whole', async () => {
    const { database } = api.app;
    let asked = 0;
    const failing = {
      ...database,
      query: async (text: string, values?: readonly unknown[]) => {
        if (text.includes('FROM pages p JOIN') && ++asked > 1) throw new Error('the disk is on fire');
        return database.query(text, values);
      },
    };
    Object.assign(api.app, { database: failing });
    try {
      const answer = await get('/export?format=jsonl&what=pages');
      await assert.rejects(answer.arrayBuffer());
    } finally {
      Object.assign(api.app, { database });
    }
  });

  it('read no further when the caller hangs up', async () => {
    const { database } = api.app;
    let batches = 0;
    const counting = {
      ...database,
      query: async (text: string, values?: readonly unknown[]) => {
        if (!text.includes('FROM pages p JOIN')) return database.query(text, values);
        batches++;
        const [limit] = values as [number];
        const wide = 'x'.repeat(2_000);
        return Array.from({ length: limit }, () => ({ id: newId(), url: wide })) as never;
      },
    };
    Object.assign(api.app, { database: counting });
    try {
      const stop = new AbortController();
      const endless = await get('/export?format=jsonl&what=pages', { signal: stop.signal });
      await endless.body!.getReader().read();
      await new Promise((done) => setTimeout(done, 300));
      const ahead = batches;
      assert.ok(ahead < 20, `${ahead} batches were read for one that was taken`);
      stop.abort();
      await new Promise((done) => setTimeout(done, 100));
      const after = batches;
      await new Promise((done) => setTimeout(done, 200));
      assert.equal(batches, after);
    } finally {
      Object.assign(api.app, { database });
    }
  });

  it('are made in the background, with a link that leads to the file', async () => {
    const stop = new AbortController();
    const running = runJobs(api.app, stop.signal);
    try {
      const started = await api.ok('POST', '/exports', { format: 'csv', what: 'pages', domain: 'b.example' }, 202);
      assert.deepEqual([started.format, started.what, started.filter], ['csv', 'pages', { domain: 'b.example' }]);
      const done = await eventually(
        () => api.ok('GET', `/exports/${started.id}`),
        ({ status }) => status === 'completed',
      );
      assert.equal(done.rows, PAGES / 5);
      const file = await fetch(origin + done.url);
      assert.match(file.headers.get('content-disposition')!, /crawl4r-pages-[\d-]+\.csv/);
      const bytes = Buffer.from(await file.arrayBuffer());
      assert.equal(bytes.length, done.bytes);
      assert.deepEqual(bytes, await bytesOf('/export?format=csv&what=pages&domain=b.example'));
      assert.ok((await api.ok('GET', '/exports')).items.some(({ id }: { id: string }) => id === done.id));
      await api.ok('DELETE', `/exports/${done.id}`, undefined, 204);
      assert.equal((await fetch(origin + done.url)).status, 404);
      assert.equal((await api.call('GET', `/exports/${done.id}`)).status, 404);
      assert.equal((await api.call('DELETE', `/exports/${newId()}`)).body.code, 'NOT_FOUND');
      const refused = await api.call('POST', '/exports', { format: 'md', what: 'links' });
      assert.equal(refused.body.code, 'VALIDATION_FAILED');
    } finally {
      stop.abort();
      await running;
    }
  });

  it('describe a collection for language models', async () => {
    const short = (await bytesOf(`/collections/${collection}/llms.txt`)).toString();
    assert.equal(
      short,
      [
        '# Docs [1]\n\n> What it is.\n\n## a.example/docs\n',
        '- [Title \\[1\\]](http://a.example/docs/Two): About 1',
        '- [Title \\[0\\]](http://a.example/docs/one): About 0',
        '- [Title \\[2\\]](http://a.example/docs/two): About 2',
        '\n## b.example\n',
        '- [Title \\[3\\]](http://b.example/): About 3\n',
      ].join('\n'),
    );
    const full = (await bytesOf(`/collections/${collection}/llms-full.txt`)).toString();
    assert.ok(
      full.startsWith('# Docs [1]\n\n> What it is.\n\n## Title [1]\n\nSource: http://a.example/docs/Two\n\n# Text 1\n'),
    );
    assert.equal((await api.call('GET', `/collections/${newId()}/llms.txt`)).status, 404);
  });
});

describe('imports over HTTP', () => {
  it('take an archive as the body, once a key, and refuse other types', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'imports-'));
    const api = await createTestApi();
    await using blobs = createFileBlobs({ folder, linkKey: () => ensureLinkKey(api.app.database, api.app.secrets) });
    Object.assign(api.app, { blobs });
    const stop = new AbortController();
    const running = runJobs(api.app, stop.signal);
    try {
      const block = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Words</p>';
      const archive = `WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://x.example/\r\nWARC-Date: 2021-02-03T04:05:06Z\r\nContent-Length: ${block.length}\r\n\r\n${block}\r\n\r\n`;
      const send = (payload: string, type: string, key: string, query = '?name=a.warc&tags=one,Two') =>
        api.send({
          method: 'POST',
          url: `/api/v1/imports${query}`,
          headers: { authorization: `Bearer ${api.keys.write}`, 'content-type': type, 'idempotency-key': key },
          payload,
        });
      const first = await send(archive, 'application/warc', 'one');
      assert.deepEqual([first.status, first.body.name, first.body.crawl.kind], [202, 'a.warc', 'import']);
      assert.deepEqual(first.body.crawl.tags, ['one', 'two']);
      assert.equal((await send(archive, 'application/warc', 'one')).body.id, first.body.id);
      const read = await eventually(
        () => api.ok('GET', `/imports/${first.body.id}`),
        ({ read_at }) => read_at !== null,
      );
      assert.deepEqual([read.records, read.taken, read.problem, read.crawl.pages_discovered], [1, 1, null, 1]);
      assert.equal((await api.ok('GET', '/imports')).items.length, 1);
      const tasks = await api.ok('GET', `/tasks?crawl_id=${first.body.id}`);
      assert.deepEqual([tasks.items[0].status, tasks.items[0].has_raw], ['downloaded', true]);

      assert.equal((await send('{}', 'application/json', 'two')).body.code, 'MEDIA_TYPE_UNSUPPORTED');
      assert.equal((await send('x', 'text/html', 'three')).body.code, 'MEDIA_TYPE_UNSUPPORTED');
      assert.equal((await send('', 'application/warc', 'four')).body.code, 'ARCHIVE_INVALID');
      const lost = await send(archive, 'application/warc', 'five', `?collection_id=${newId()}`);
      assert.equal(lost.body.code, 'NOT_FOUND');
      // The types are taken by this route alone.
      const other = await api.send({
        method: 'POST',
        url: '/api/v1/tags',
        headers: { authorization: `Bearer ${api.keys.write}`, 'content-type': 'application/warc' },
        payload: archive,
      });
      assert.equal(other.body.code, 'MEDIA_TYPE_UNSUPPORTED');
      assert.equal((await api.call('GET', `/imports/${newId()}`)).body.code, 'NOT_FOUND');
    } finally {
      stop.abort();
      await running;
      await api[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
