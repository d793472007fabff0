import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { loadSettings } from '../../../src/config/load.ts';
import type { Blobs } from '../../../src/ports/blobs.ts';
import { type Answer, createTestApi, type TestApi } from '../../support/api.ts';
import { createTestBlobs } from '../../support/blobs.ts';
import { makePdf, onePage, stream } from '../../support/hostile-pdf.ts';

const MB = 1024 * 1024;
const BOUNDARY = 'xBOUNDARYx';

interface Part {
  name: string;
  value: string | Uint8Array;
  file?: string;
  type?: string;
}

/** A multipart body by hand: what a client library would refuse to send as well. */
const encode = (parts: readonly Part[], end = `--${BOUNDARY}--\r\n`) =>
  Buffer.concat([
    ...parts.flatMap(({ name, value, file, type }) => [
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"` +
          `${file === undefined ? '' : `; filename="${file}"`}\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
      ),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(end),
  ]);

describe('uploads of files', () => {
  let api: TestApi;
  let blobs: Blobs;
  before(async () => {
    blobs = await createTestBlobs();
    const { settings } = loadSettings({ APP_ENV: 'test', HTTP__MAX_UPLOAD_MB: '3', HTTP__MAX_FILE_MB: '1' });
    api = await createTestApi({ blobs, settings });
  });
  after(async () => {
    api.server.server.closeAllConnections();
    await api[Symbol.asyncDispose]();
    await blobs[Symbol.asyncDispose]();
  });

  const send = (path: string, payload: Buffer, headers: Record<string, string> = {}): Promise<Answer> =>
    api.send({
      method: 'POST',
      url: `/api/v1${path}`,
      headers: {
        authorization: `Bearer ${api.keys.write}`,
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        ...headers,
      },
      payload,
    });
  const refused = async (path: string, payload: Buffer, code: string, headers: Record<string, string> = {}) => {
    const answer = await send(path, payload, headers);
    assert.deepEqual([answer.body?.code, answer.status < 500], [code, true], answer.text);
    assert.ok(answer.text.length < 2_000);
    return answer.body;
  };
  const one = (value: string | Uint8Array, file: string, type?: string): Part => ({
    name: 'file',
    value,
    file,
    ...(type !== undefined && { type }),
  });

  it('a file becomes a document, and can be had back as it came', async () => {
    const collection = await api.ok('POST', '/collections', { name: 'files' }, 201);
    const form = new FormData();
    form.set('collection_id', collection.id);
    form.append('tags', 'One, two');
    form.append('tags', 'three');
    form.set('metadata', '{"origin":"desk"}');
    form.set('title', '');
    form.set('file', new File(['# Lamps\n\nAn amber lamp.'], 'lamps ü.md', { type: 'application/octet-stream' }));
    const request = new Response(form);
    const answer = await send('/documents', Buffer.from(await request.arrayBuffer()), {
      'content-type': request.headers.get('content-type')!,
    });
    assert.equal(answer.status, 201, answer.text);
    assert.deepEqual([answer.body.url, answer.body.created], ['upload:lamps ü.md', true]);
    const document = await api.ok('GET', `/documents/${answer.body.id}`);
    assert.deepEqual(
      [document.title, document.content_type, document.collection_id, document.metadata.origin],
      ['Lamps', 'text/markdown', collection.id, 'desk'],
    );
    assert.deepEqual(
      document.tags.map((tag: { name: string }) => tag.name),
      ['one', 'three', 'two'],
    );
    const file = await api.call('GET', `/documents/${answer.body.id}/file`, undefined, { range: 'bytes=2-6' });
    assert.deepEqual([file.status, file.text], [206, 'Lamps']);
    assert.match(String(file.headers['content-disposition']), /^attachment; filename\*=UTF-8''lamps%20%C3%BC\.md$/);
    const plain = await api.ok('POST', '/documents', { content: 'Only text.' }, 201);
    await api.ok('GET', `/documents/${plain.id}/file`, undefined, 404);
  });

  it('the bytes decide what a file is, before what it is called', async () => {
    const pdf = makePdf(onePage(stream('', Buffer.from('BT /F1 9 Tf (Printed words) Tj ET'))));
    const answer = await send(
      '/documents/batch',
      encode([
        one('<!doctype html><title>Page</title><p>Words of a page.', 'page.txt', 'text/plain'),
        one('plain words', 'notes', 'application/octet-stream'),
        one(pdf, 'print.md', 'text/markdown'),
        one(Buffer.from('89504e470d0a1a0a0000000000000000', 'hex'), 'picture.png', 'image/png'),
        one('words', 'film.mp4', 'video/mp4'),
      ]),
    );
    assert.equal(answer.status, 201, answer.text);
    const { documents, uploaded, failed } = answer.body;
    const types = [];
    for (const { id } of documents.slice(0, 3)) types.push((await api.ok('GET', `/documents/${id}`)).content_type);
    assert.deepEqual(types, ['text/html', 'text/plain', 'application/pdf']);
    assert.deepEqual(
      documents.slice(3).map(({ file, code }: { file: string; code: string }) => [file, code]),
      [
        ['picture.png', 'CONTENT_TYPE_UNSUPPORTED'],
        ['film.mp4', 'CONTENT_TYPE_UNSUPPORTED'],
      ],
    );
    assert.deepEqual([uploaded, failed], [3, 2]);
  });

  it('what is said about one file comes on top of what is said about all', async () => {
    const { documents } = (
      await send(
        '/documents/batch',
        encode([
          one('first', 'first.txt'),
          { name: 'documents', value: '[{"url":"https://example.com/1","tags":["own"],"metadata":{"n":1}},{}]' },
          { name: 'tags', value: 'all' },
          { name: 'metadata', value: '{"n":0,"m":0}', type: 'application/json' },
          one('second', 'second.txt'),
        ]),
      )
    ).body;
    assert.deepEqual(
      documents.map(({ url, file }: { url: string; file: string }) => [url, file]),
      [
        ['https://example.com/1', 'first.txt'],
        ['upload:second.txt', 'second.txt'],
      ],
    );
    const shown = await api.ok('GET', `/documents/${documents[0].id}`);
    assert.deepEqual([shown.metadata.n, shown.metadata.m, shown.tags.length], [1, 0, 2]);
    const detail = await refused(
      '/documents/batch',
      encode([one('a', 'a'), { name: 'documents', value: '[]' }]),
      'VALIDATION_FAILED',
    );
    assert.equal(detail.details['body.documents'], '0 entries for 1 files');
  });

  it('a file that is too large fails alone; a body that is too large fails as a whole', async () => {
    const answer = await send(
      '/documents/batch',
      encode([one('x'.repeat(MB + 1), 'large.txt'), one('y'.repeat(MB), 'fits.txt'), one('small', 'small.txt')]),
    );
    assert.deepEqual(
      answer.body.documents.map(({ file, code }: { file: string; code?: string }) => [file, code]),
      [
        ['large.txt', 'BODY_TOO_LARGE'],
        ['fits.txt', undefined],
        ['small.txt', undefined],
      ],
      answer.text.slice(0, 300),
    );
    await refused('/documents', encode([one('x'.repeat(MB + 1), 'large.txt')]), 'BODY_TOO_LARGE');
    const pieces = [1, 2, 3].map((at) => one('z'.repeat(MB), `${at}.txt`));
    await refused('/documents/batch', encode([...pieces, one('one more', '4.txt')]), 'BODY_TOO_LARGE');
  });

  it('without a length, the body is counted as it comes', async () => {
    const origin = await api.server.listen({ host: '127.0.0.1', port: 0 });
    const body = encode([1, 2, 3, 4].map((at) => one('z'.repeat(MB), `${at}.txt`)));
    const response = await fetch(`${origin}/api/v1/documents/batch`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api.keys.write}`,
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      },
      body: new ReadableStream({
        start(controller) {
          for (let at = 0; at < body.length; at += 65_536) controller.enqueue(body.subarray(at, at + 65_536));
          controller.close();
        },
      }),
      duplex: 'half',
    } as RequestInit);
    assert.deepEqual([response.status, ((await response.json()) as { code: string }).code], [413, 'BODY_TOO_LARGE']);
  });

  it('a caller that hangs up within a file leaves nothing behind', async () => {
    const { port } = api.server.server.address() as AddressInfo;
    const before = (await api.app.database.query('SELECT 1 FROM documents')).length;
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const part = encode([one('a'.repeat(500_000), 'cut.txt')], '');
    socket.write(
      `POST /api/v1/documents HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${api.keys.write}\r\n` +
        `content-type: multipart/form-data; boundary=${BOUNDARY}\r\ncontent-length: ${part.length + 100}\r\n\r\n`,
    );
    socket.write(part.subarray(0, 300_000));
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.destroy();
    const alive = await send('/documents', encode([one('still there', 'alive.txt')]));
    assert.equal(alive.status, 201, alive.text);
    assert.equal((await api.app.database.query('SELECT 1 FROM documents')).length, before + 1);
  });

  describe('that are built to do harm', () => {
    const harm: [name: string, path: string, payload: () => Buffer, headers?: Record<string, string>][] = [
      ['no file', '/documents', () => encode([{ name: 'title', value: 'x' }])],
      ['an empty body', '/documents', () => Buffer.alloc(0)],
      ['no last boundary', '/documents', () => encode([one('x', 'a.txt')], '')],
      ['no boundary at all', '/documents', () => Buffer.from('words'), { 'content-type': 'multipart/form-data' }],
      ['another boundary', '/documents', () => Buffer.from('--other\r\n\r\nx\r\n--other--')],
      ['two files where one is taken', '/documents', () => encode([one('x', 'a'), one('y', 'b')])],
      ['51 files', '/documents/batch', () => encode(Array.from({ length: 51 }, (_, at) => one('x', `${at}`)))],
      [
        '10,000 parts',
        '/documents/batch',
        () => encode([...Array.from({ length: 10_000 }, () => ({ name: 'tags', value: '' })), one('x', 'a')]),
      ],
      [
        'a huge field',
        '/documents',
        () => encode([{ name: 'metadata', value: `{}${' '.repeat(70_000)}` }, one('x', 'a')]),
      ],
      [
        'a field twice',
        '/documents',
        () => encode([...['a', 'b'].map((value) => ({ name: 'title', value })), one('x', 'a')]),
      ],
      ['an unknown field', '/documents', () => encode([{ name: 'nope', value: 'x' }, one('x', 'a')])],
      ['a poisoned prototype', '/documents', () => encode([{ name: '__proto__', value: 'x' }, one('x', 'a')])],
      ['NUL in a field', '/documents', () => encode([{ name: 'title', value: 'a\0b' }, one('x', 'a')])],
      ['NUL in a file name', '/documents', () => encode([one('x', 'a\0b.txt')])],
      ['metadata that is no JSON', '/documents', () => encode([{ name: 'metadata', value: '{' }, one('x', 'a')])],
      [
        'metadata 10,000 levels deep',
        '/documents',
        () => encode([{ name: 'metadata', value: `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}` }, one('x', 'a')]),
      ],
      ['NUL in metadata', '/documents', () => encode([{ name: 'metadata', value: '{"a":"\\u0000"}' }, one('x', 'a')])],
    ];
    for (const [name, path, payload, headers] of harm)
      it(`${name}: refused in words`, async () => {
        await refused(path, payload(), 'VALIDATION_FAILED', headers);
      });

    it('headers without end: the part counts for nothing', async () => {
      const huge = `--${BOUNDARY}\r\nX-Pad: ${'x'.repeat(500_000)}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n`;
      await refused('/documents', Buffer.concat([Buffer.from(huge), encode([])]), 'VALIDATION_FAILED');
    });

    it('folders in a file name are cut off', async () => {
      for (const [file, name] of [
        ['../../etc/passwd', 'passwd'],
        ['C:\\\\secret\\\\plan.txt', 'plan.txt'],
      ] as const)
        assert.equal((await send('/documents', encode([one(`of ${name}`, file)]))).body.url, `upload:${name}`);
    });

    it('routes that take no files refuse them before they are read, and JSON keeps its limit', async () => {
      await refused('/collections', encode([one('x', 'a')]), 'MEDIA_TYPE_UNSUPPORTED');
      const large = { content: 'x'.repeat(10 * MB) };
      assert.equal((await api.call('POST', '/documents', large)).body.code, 'BODY_TOO_LARGE');
      const stranger = await send('/documents', encode([one('x', 'a')]), { authorization: `Bearer ${api.keys.read}` });
      assert.equal(stranger.body.code, 'FORBIDDEN');
    });
  });

  it('an Idempotency-Key is bound to the bytes', async () => {
    const key = { 'idempotency-key': 'upload-1' };
    const first = await send('/documents', encode([one('the same', 'same.txt')]), key);
    const again = await send('/documents', encode([one('the same', 'same.txt')]), key);
    assert.deepEqual([again.body, again.headers['idempotency-replayed']], [first.body, 'true']);
    await refused('/documents', encode([one('not the same', 'same.txt')]), 'IDEMPOTENCY_MISMATCH', key);
  });
});
