import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ensureLinkKey } from '../../../src/db/admin/link-key.ts';
import { createFileBlobs } from '../../../src/drivers/blobs/files.ts';
import type { Blobs } from '../../../src/ports/blobs.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

describe('links to blobs', () => {
  let folder: string;
  let api: TestApi;
  let blobs: Blobs;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'blob-links-'));
    api = await createTestApi();
    blobs = createFileBlobs({ folder, linkKey: () => ensureLinkKey(api.app.database, api.app.secrets) });
    Object.assign(api.app, { blobs });
  });
  after(async () => {
    // After an abort, fetch keeps a connection on which nothing is sent: closing would wait for it.
    api.server.server.closeAllConnections();
    await api[Symbol.asyncDispose]();
    await blobs[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const text = 'Hello <script>alert(1)</script>';
  const linkTo = async (content: string, over: { name?: string; contentType?: string; expiresInS?: number } = {}) => {
    const [reference = ''] = await blobs.put([Buffer.from(content)]);
    const blob = { reference, name: over.name ?? 'page.html', contentType: over.contentType ?? 'text/html' };
    return blobs.link(blob, over.expiresInS ?? 60);
  };
  const get = (url: string, range?: string) =>
    api.send({ method: 'GET', url, headers: range === undefined ? {} : { range } });

  it('are served to whoever has them, as a download that no browser shows', async () => {
    const answer = await get(await linkTo(text, { name: `q'(1)*\r\nx: y "ü".html` }));
    assert.deepEqual([answer.status, answer.text], [200, text]);
    assert.equal(
      answer.headers['content-disposition'],
      "attachment; filename*=UTF-8''q%27%281%29%2A%0D%0Ax%3A%20y%20%22%C3%BC%22.html",
    );
    assert.equal(answer.headers['content-security-policy'], "sandbox; default-src 'none'");
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.equal(answer.headers['content-type'], 'text/html');
    assert.equal(answer.headers['content-length'], String(text.length));
    assert.equal(answer.headers['accept-ranges'], 'bytes');
  });

  it('take a range of bytes', async () => {
    const link = await linkTo('0123456789');
    for (const [range, part, told] of [
      ['bytes=0-0', '0', 'bytes 0-0/10'],
      ['bytes=2-4', '234', 'bytes 2-4/10'],
      ['bytes=7-', '789', 'bytes 7-9/10'],
      ['bytes=7-99', '789', 'bytes 7-9/10'],
      ['bytes=-3', '789', 'bytes 7-9/10'],
      ['bytes=-99', '0123456789', 'bytes 0-9/10'],
    ] as const) {
      const answer = await get(link, range);
      assert.deepEqual([answer.status, answer.text, answer.headers['content-range']], [206, part, told], range);
      assert.equal(answer.headers['content-length'], String(part.length));
    }
    for (const range of ['bytes=4-2', 'bytes=-', 'lines=1-2', 'bytes=0-1,4-5', 'bytes=x-']) {
      const answer = await get(link, range);
      assert.deepEqual([answer.status, answer.text], [200, '0123456789'], range);
    }
    for (const range of ['bytes=10-', 'bytes=99-100', 'bytes=-0']) {
      const answer = await get(link, range);
      assert.deepEqual([answer.status, answer.body.code], [416, 'RANGE_INVALID'], range);
      assert.equal(answer.headers['content-range'], 'bytes */10');
    }
  });

  it('lead nowhere when they are changed, too old, or what they led to is gone', async () => {
    const link = await linkTo(text);
    const other = await get(`${link.slice(0, -2)}${link.endsWith('AA') ? 'BB' : 'AA'}`);
    assert.deepEqual([other.status, other.body.code], [404, 'NOT_FOUND']);
    for (const token of ['x', 'a.b', `${'A'.repeat(40)}.${'B'.repeat(43)}`])
      assert.equal((await get(`/api/v1/blobs/${token}`)).body.code, 'NOT_FOUND', token);
    const expired = await get(await linkTo(text, { expiresInS: 0 }));
    assert.deepEqual([expired.status, expired.body.code], [410, 'LINK_EXPIRED']);
    assert.ok(expired.body.hint.length > 0);
    const [reference = ''] = await blobs.put([Buffer.from(text)]);
    await blobs.delete([reference]);
    assert.deepEqual([(await get(link)).status, (await get(link)).body.code], [404, 'NOT_FOUND']);
  });

  it('are signed with a key that the database alone does not give away', async () => {
    const [fact] = await api.app.database.query<{ value: string }>(
      `SELECT value FROM settings WHERE key = 'blob_link_key'`,
    );
    const key = await ensureLinkKey(api.app.database, api.app.secrets);
    assert.equal(key.length, 32);
    assert.ok(!fact!.value.includes(key.toString('base64')) && fact!.value.startsWith('enc:v1:'), fact!.value);
    assert.deepEqual(await ensureLinkKey(api.app.database, api.app.secrets), key);
  });

  it('stream what is large, and end when the caller hangs up', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const { reference } = await blobs.write(
      (async function* () {
        for (let number = 0; number < 40; number++) yield piece;
      })(),
    );
    const link = await blobs.link({ reference, name: 'large.bin', contentType: 'application/octet-stream' }, 60);
    const origin = await api.server.listen({ host: '127.0.0.1', port: 0 });
    const whole = await fetch(origin + link);
    let size = 0;
    for await (const part of whole.body!) size += part.length;
    assert.equal(size, 40 * piece.length);
    const stop = new AbortController();
    const cut = await fetch(origin + link, { signal: stop.signal });
    await cut.body!.getReader().read();
    stop.abort();
    const last = await fetch(origin + link, { headers: { range: 'bytes=-5' } });
    assert.equal(await last.text(), 'xxxxx');
  });
});
