import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { unpack } from './archive-file.ts';
import { parseHttpMessage } from './http-message.ts';
import { type ArchiveItem, readArchive } from './read-archive.ts';
import { readWarc } from './read-warc.ts';

const MAX = 1024 * 1024;

function recordOf(block: string | Buffer, fields: Record<string, string> = {}): Buffer {
  const bytes = Buffer.from(block as string);
  const all: Record<string, string> = {
    'WARC-Type': 'response',
    'WARC-Target-URI': 'http://x.example/a',
    'WARC-Date': '2020-02-03T04:05:06Z',
    'Content-Type': 'application/http; msgtype=response',
    'Content-Length': String(bytes.length),
    ...fields,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`WARC/1.0\r\n${lines.join('')}\r\n`), bytes, Buffer.from('\r\n\r\n')]);
}
const page = (body: string | Buffer = '<p>Hello</p>', headers = 'Content-Type: text/html\r\n') =>
  Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${headers}\r\n`), Buffer.from(body as string)]);

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const fileOf = (bytes: Buffer, size = 64 * 1024) => ({
  name: 'test',
  size: bytes.length,
  read: (start: number, end?: number) => cut(bytes.subarray(start, end), size),
});
/** What is read, and the code it ends with. */
async function readAll(bytes: Buffer, size?: number): Promise<{ items: ArchiveItem[]; code: string | undefined }> {
  const items: ArchiveItem[] = [];
  try {
    for await (const item of readArchive(fileOf(bytes, size), MAX)) items.push(item);
    return { items, code: undefined };
  } catch (error) {
    return { items, code: (error as { code: string }).code };
  }
}
const kindsOf = ({ items }: { items: ArchiveItem[] }) =>
  items.map((item) => (item.kind === 'refused' ? item.code : item.kind));

describe('WARC in', () => {
  it('reads the same records however the bytes are cut and compressed', async () => {
    const records = [
      recordOf(page()),
      recordOf('software: x', { 'WARC-Type': 'warcinfo', 'WARC-Target-URI': '' }),
      recordOf(page('<p>Second</p>'), { 'WARC-Target-URI': '<http://x.example/b>' }),
    ];
    const forms = [
      Buffer.concat(records),
      Buffer.concat(records.map((each) => gzipSync(each))),
      gzipSync(Buffer.concat(records)),
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...forms), fc.integer({ min: 1, max: 200 }), async (bytes, size) => {
        const { items, code } = await readAll(bytes, size);
        assert.equal(code, undefined);
        assert.deepEqual(
          items.map((item) => (item.kind === 'page' ? [item.url, Buffer.from(item.body!).toString()] : item.kind)),
          [['http://x.example/a', '<p>Hello</p>'], 'ignored', ['http://x.example/b', '<p>Second</p>']],
        );
      }),
      { numRuns: 60 },
    );
  });

  it('says why a record is not taken, and goes on', async () => {
    const cases: [Buffer, string][] = [
      [recordOf('HTTP/1.1 404 Not Found\r\n\r\n'), 'HTTP_4XX'],
      [recordOf('HTTP/1.1 503 No\r\n\r\n'), 'HTTP_5XX'],
      [recordOf('HTTP/1.1 301 Moved\r\nLocation: /b\r\n\r\n'), 'ignored'],
      [recordOf(page('x', 'Content-Type: image/png\r\n')), 'CONTENT_TYPE_UNSUPPORTED'],
      [recordOf(page('a{}', 'Content-Type: text/css\r\n')), 'CONTENT_TYPE_UNSUPPORTED'],
      [recordOf('no response at all\r\n\r\n'), 'RESPONSE_INVALID'],
      [recordOf('HTTP/1.1 200 OK\r\nno end'), 'RESPONSE_INVALID'],
      [recordOf(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`), 'HEADERS_TOO_LARGE'],
      [recordOf(page(Buffer.alloc(MAX + 1, 'x'))), 'TOO_LARGE'],
      [recordOf(page(Buffer.alloc(3 * MAX, 'x'))), 'TOO_LARGE'],
      [recordOf(page(), { 'WARC-Target-URI': `http://x.example/${'a'.repeat(9_000)}` }), 'URL_INVALID'],
      [recordOf(page(), { 'WARC-Target-URI': 'dns:x.example' }), 'ignored'],
      [recordOf(page(), { 'WARC-Target-URI': 'http://x.example/robots.txt' }), 'ignored'],
      [recordOf(page(), { 'WARC-Date': 'once' }), 'ARCHIVE_INVALID'],
      [recordOf(page(), { 'WARC-Date': '2999-01-01T00:00:00Z' }), 'ARCHIVE_INVALID'],
      [
        recordOf('HTTP/1.1 304 Not Modified\r\n\r\n', {
          'WARC-Type': 'revisit',
          'WARC-Profile': 'x/server-not-modified',
        }),
        'ignored',
      ],
      [recordOf('hello', { 'WARC-Type': 'resource', 'Content-Type': 'text/plain' }), 'page'],
      [
        recordOf(page(gzipSync(Buffer.alloc(20 * MAX)), 'Content-Type: text/html\r\nContent-Encoding: gzip\r\n')),
        'DECOMPRESSION_BOMB',
      ],
      [recordOf(page('x', 'Content-Type: text/html\r\nContent-Encoding: rot13\r\n')), 'ENCODING_UNSUPPORTED'],
    ];
    const found = await readAll(Buffer.concat([...cases.map(([bytes]) => bytes), recordOf(page())]));
    assert.equal(found.code, undefined);
    assert.deepEqual(kindsOf(found), [...cases.map(([, code]) => code), 'page']);
  });

  it('undoes what was done for the transfer', async () => {
    const text = '<p>Some words, some words</p>';
    const forms: [Buffer, string][] = [
      [gzipSync(text), 'Content-Encoding: gzip\r\n'],
      [brotliCompressSync(text), 'Content-Encoding: br\r\n'],
      [zstdCompressSync(text), 'Content-Encoding: zstd\r\n'],
      [Buffer.from(text), 'Content-Encoding: gzip\r\n'],
      [
        Buffer.from(
          `5;x=y\r\n${text.slice(0, 5)}\r\n${(text.length - 5).toString(16)}\r\n${text.slice(5)}\r\n0\r\n\r\n`,
        ),
        'Transfer-Encoding: chunked\r\n',
      ],
      [Buffer.from(text), 'Transfer-Encoding: chunked\r\n'],
      [Buffer.from(`${text.length.toString(16)}\r\n${text}`), 'transfer-encoding: chunked\r\n'],
    ];
    for (const [body, headers] of forms) {
      const message = await parseHttpMessage(page(body, headers), MAX);
      assert.equal(Buffer.from(message.body).toString(), text, headers);
    }
    const short = await parseHttpMessage(
      Buffer.from('HTTP/1.0 200 OK\nContent-Type: text/plain\nX: a\nX: b\n\nbody'),
      MAX,
    );
    assert.deepEqual(
      [short.headers['content-type'], short.headers.x, String(short.body)],
      ['text/plain', 'a, b', 'body'],
    );
  });

  it('keeps what stands before the damage, and names it', async () => {
    const [good, other] = [recordOf(page()), recordOf(page('<p>Other</p>'))];
    const filler = recordOf(randomBytes(200_000), { 'WARC-Type': 'metadata' });
    const damaged: [string, Buffer, string][] = [
      ['plain, cut short', Buffer.concat([good, other.subarray(0, -20)]), 'ARCHIVE_INVALID'],
      ['compressed, cut short', Buffer.concat([gzipSync(good), gzipSync(other).subarray(0, 60)]), 'ARCHIVE_INVALID'],
      [
        'compressed, overwritten',
        Buffer.concat([
          gzipSync(good),
          gzipSync(filler),
          Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 255, 255, 255, 255]),
        ]),
        'ARCHIVE_INVALID',
      ],
      [
        'a length too small',
        Buffer.concat([good, recordOf(page(), { 'Content-Length': '10' }), other]),
        'ARCHIVE_INVALID',
      ],
      [
        'a length too large',
        Buffer.concat([good, recordOf(page(), { 'Content-Length': '99999999999' }), other]),
        'ARCHIVE_INVALID',
      ],
      ['no length', Buffer.concat([good, recordOf(page(), { 'Content-Length': '-1' })]), 'ARCHIVE_INVALID'],
      [
        'a header without end',
        Buffer.concat([good, Buffer.from(`WARC/1.0\r\n${'x'.repeat(10 * MAX)}`)]),
        'ARCHIVE_INVALID',
      ],
      ['something else', Buffer.concat([good, Buffer.from('GET / HTTP/1.1\r\n\r\n')]), 'ARCHIVE_INVALID'],
      [
        'a bomb',
        gzipSync(
          Buffer.concat([good, Buffer.from('WARC/1.0\r\nContent-Length: 999999999\r\n\r\n'), Buffer.alloc(80 * MAX)]),
        ),
        'DECOMPRESSION_BOMB',
      ],
    ];
    for (const [name, bytes, code] of damaged) {
      const found = await readAll(bytes);
      const pages = kindsOf(found).filter((kind) => kind !== 'ignored');
      assert.deepEqual([pages, found.code], [['page'], code], name);
    }
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('<html>'),
      Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
      Buffer.from('PK\u0003\u0004 no zip'),
    ])
      assert.deepEqual(await readAll(bytes), { items: [], code: 'ARCHIVE_INVALID' });
  });

  it('takes any bytes without failing in another way', async () => {
    const seed = Buffer.concat([recordOf(page()), recordOf(page(gzipSync('x'), 'Content-Encoding: gzip\r\n'))]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(seed.length - 1), fc.nat(255)), { maxLength: 8 }),
        fc.boolean(),
        async (changes, packed) => {
          const bytes = Buffer.from(packed ? gzipSync(seed) : seed);
          for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
          const { code } = await readAll(bytes);
          assert.ok(code === undefined || code === 'ARCHIVE_INVALID', code);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('reads no further than its reader', async () => {
    let pulled = 0;
    const endless = (async function* () {
      for (;;) {
        pulled++;
        yield recordOf(page());
      }
    })();
    for await (const record of readWarc(unpack(endless), { types: ['response'], maxBlock: MAX })) {
      assert.equal(record.type, 'response');
      if (pulled > 5) break;
    }
    assert.ok(pulled < 10, String(pulled));
  });
});
