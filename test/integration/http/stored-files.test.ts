import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../src/ids.ts';
import type { Blobs } from '../../../src/ports/blobs.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { createTestBlobs } from '../../support/blobs.ts';

const HTML = '<html><script>alert(1)</script>';

describe('stored files over HTTP', () => {
  let api: TestApi;
  let blobs: Blobs;
  const domain = newId();
  before(async () => {
    blobs = await createTestBlobs();
    api = await createTestApi({ blobs });
    await api.app.database.query(`INSERT INTO domains (id, domain) VALUES ($1, 'example.com')`, [domain]);
  });
  after(async () => {
    await api[Symbol.asyncDispose]();
    await blobs[Symbol.asyncDispose]();
  });

  const insertPage = async (path: string, reference: string | null, contentType: string) => {
    const id = newId();
    await api.app.database.query(
      `INSERT INTO pages (id, url, url_hash, domain_id, raw_ref, raw_meta) VALUES ($1, $2, $3, $4, $5, $6)`,
      [id, `https://example.com${path}`, Buffer.from(path), domain, reference, { content_type: contentType }],
    );
    return id;
  };
  const store = async (content: string | Uint8Array) => (await blobs.put([Buffer.from(content)]))[0]!;
  const get = (path: string, headers: Record<string, string> = {}) => api.call('GET', path, undefined, headers);

  it('the response of a page is a download and nothing else, whatever the site called it', async () => {
    const id = await insertPage(`/a/pa"ge\r\n.html`, await store(HTML), 'text/html; charset=utf-8');
    const answer = await get(`/pages/${id}/raw`);
    assert.deepEqual([answer.status, answer.text], [200, HTML]);
    assert.match(String(answer.headers['content-disposition']), /^attachment; filename\*=UTF-8''[\w%.]+$/);
    assert.equal(answer.headers['content-type'], 'application/octet-stream');
    assert.equal(answer.headers['x-original-content-type'], 'text/html; charset=utf-8');
    assert.equal(answer.headers['content-security-policy'], "sandbox; default-src 'none'");
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    const part = await get(`/pages/${id}/raw`, { range: 'bytes=1-4' });
    assert.deepEqual(
      [part.status, part.text, part.headers['content-range']],
      [206, 'html', `bytes 1-4/${HTML.length}`],
    );
    const beyond = await get(`/pages/${id}/raw`, { range: 'bytes=999-' });
    assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, `bytes */${HTML.length}`]);
  });

  it('a type that cannot be a header is left out', async () => {
    const id = await insertPage('/evil', await store('x'), 'text/html\r\nset-cookie: a=b');
    const answer = await get(`/pages/${id}/raw`);
    assert.deepEqual([answer.status, answer.headers['x-original-content-type']], [200, undefined]);
    assert.equal(answer.headers['set-cookie'], undefined);
  });

  it('says so when no response is stored, or not any more', async () => {
    const never = await insertPage('/never', null, 'text/html');
    const reference = await store('will be gone');
    const gone = await insertPage('/gone', reference, 'text/html');
    await blobs.delete([reference]);
    for (const id of [never, gone]) assert.deepEqual([(await get(`/pages/${id}/raw`)).body.code], ['RAW_MISSING']);
    assert.equal((await get(`/pages/${newId()}/raw`)).body.code, 'NOT_FOUND');
  });

  describe('images of a product', () => {
    const product = newId();
    const images: string[] = [];
    const insertImage = async (mediaType: string | null, reference: string | null, hash: string | null) => {
      const id = newId();
      images.push(id);
      await api.app.database.query(
        `INSERT INTO product_images (id, product_id, url, position, media_type, width, height, blob_ref, content_hash, fetched_at)
         VALUES ($1, $2, $3, $4, $5, 40, 9, $6, $7, now())`,
        [id, product, `https://example.com/${id}`, images.length, mediaType, reference, hash],
      );
    };
    before(async () => {
      await api.app.database.query(
        `INSERT INTO products (id, url, url_hash, domain, parser, parser_version, content_hash)
         VALUES ($1, 'u', 'h', 'd', 'generic', '1', '')`,
        [product],
      );
      await insertImage('image/png', await store('png bytes'), 'a');
      await insertImage('image/svg+xml', await store('<svg onload="alert(1)"/>'), 'b');
      await insertImage('image/png', null, 'a');
      await insertImage(null, null, null);
    });

    it('are listed in order, with links to those that are stored', async () => {
      const first = await api.ok('GET', `/products/${product}/images?limit=3`);
      const rest = await api.ok('GET', `/products/${product}/images?limit=3&cursor=${first.next_cursor}`);
      const all = [...first.items, ...rest.items];
      assert.deepEqual(
        all.map(({ id }) => id),
        images,
      );
      assert.deepEqual([all[0].width, all[0].height, all[0].media_type], [40, 9, 'image/png']);
      assert.deepEqual(
        all.map(({ link }) => link !== null),
        [true, true, true, false],
        'one with the bytes of another is served from there',
      );
      const shown = await api.send({ method: 'GET', url: all[2].link });
      assert.equal(shown.text, 'png bytes');
      await api.ok('GET', `/products/${newId()}/images`, undefined, 404);
    });

    it('keep their type only where it can hold no script', async () => {
      const picture = await get(`/products/${product}/images/${images[0]}`);
      assert.deepEqual([picture.status, picture.text], [200, 'png bytes']);
      assert.equal(picture.headers['content-type'], 'image/png');
      assert.match(String(picture.headers['content-disposition']), /^inline; .*\.png$/);
      const drawing = await get(`/products/${product}/images/${images[1]}`);
      assert.equal(drawing.headers['content-type'], 'application/octet-stream');
      assert.match(String(drawing.headers['content-disposition']), /^attachment; /);
      for (const { headers } of [picture, drawing]) {
        assert.equal(headers['content-security-policy'], "sandbox; default-src 'none'");
        assert.equal(headers['x-content-type-options'], 'nosniff');
      }
      assert.equal((await get(`/products/${product}/images/${images[3]}`)).body.code, 'NOT_FOUND');
      assert.equal((await get(`/products/${newId()}/images/${images[0]}`)).body.code, 'NOT_FOUND');
    });
  });
});
