import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { WARCParser, type WARCRecord } from 'warcio';
import type { StoredVisit } from '../../db/exports/stored-responses.ts';
import { createWritten, writeVisit, writeWarcInfo } from './write-visit.ts';

const FETCHED = '2026-03-04T05:06:07.089Z';
const visit: StoredVisit = {
  id: 'a',
  url: 'https://x.example/asked',
  http_status: 200,
  raw_ref: 'blob',
  raw_meta: {
    url: 'https://x.example/answered?q=1',
    status: '200',
    headers: 'content-type: text/html\r\ncontent-encoding: gzip\r\ncontent-length: 12\r\nx-note: caf\u00e9\r\n',
    fetched_at: FETCHED,
    ip: '192.0.2.1',
    user_agent: 'crawl4r/1',
  },
  visited_at: new Date('2026-03-05T00:00:00Z'),
  fetch_ms: 12,
};

/** As warcio for Node reads it. */
async function read(...pieces: Uint8Array[]): Promise<{ type: string; record: WARCRecord; payload: Uint8Array }[]> {
  const found = [];
  for await (const record of new WARCParser(pieces.values() as never)) {
    const payload = await record.readFully(true);
    found.push({ type: record.warcType!, record, payload });
  }
  return found;
}
const header = (record: WARCRecord, name: string) => record.warcHeaders.headers.get(name);

describe('WARC out', () => {
  it('is read by another program: records, headers, digests', async () => {
    const body = Buffer.from('<p>decoded</p>');
    const found = await read(await writeWarcInfo('1.2.3', 'x.warc.gz'), await writeVisit(visit, body, createWritten()));
    assert.deepEqual(
      found.map(({ type }) => type),
      ['warcinfo', 'request', 'response', 'metadata'],
    );
    const [, request, response, metadata] = found;
    assert.equal(response!.record.warcTargetURI, 'https://x.example/answered?q=1');
    assert.equal(response!.record.warcDate, FETCHED);
    assert.equal(header(response!.record, 'WARC-IP-Address'), '192.0.2.1');
    assert.equal(Buffer.from(response!.payload).toString(), '<p>decoded</p>');
    assert.equal(response!.record.httpHeaders!.statusCode, 200);
    const fields = Object.fromEntries(response!.record.httpHeaders!.headers.entries());
    assert.equal(fields['content-encoding'], undefined);
    assert.equal(fields['X-Archive-Orig-content-encoding'] ?? fields['x-archive-orig-content-encoding'], 'gzip');
    assert.equal(fields['content-length'], String(body.length));
    const digest = header(response!.record, 'WARC-Payload-Digest')!;
    assert.match(digest, /^sha1:[A-Z2-7]{32}$/);
    assert.equal(fromBase32(digest.slice(5)), createHash('sha1').update(body).digest('hex'));
    const id = header(response!.record, 'WARC-Record-ID');
    for (const each of [request!, metadata!]) assert.equal(header(each.record, 'WARC-Concurrent-To'), id);
    assert.match(
      Buffer.from(metadata!.payload).toString(),
      /requestedUrl: https:\/\/x\.example\/asked\r\nfetchTimeMs: 12/,
    );
  });

  it('writes the same bytes once, and a 304 as a revisit of them', async () => {
    const written = createWritten();
    const body = Buffer.from('same');
    const other = { ...visit, raw_meta: { ...visit.raw_meta!, url: 'https://x.example/other' } };
    const found = await read(
      await writeVisit({ ...visit, http_status: 304 }, body, written),
      await writeVisit(other, body, written),
      await writeVisit(visit, body, written),
    );
    const shown = found.filter(({ type }) => type === 'response' || type === 'revisit');
    assert.deepEqual(
      shown.map(({ type, record }) => [type, header(record, 'WARC-Profile')?.split('/').at(-1), record.warcTargetURI]),
      [
        ['response', undefined, 'https://x.example/answered?q=1'],
        ['revisit', 'server-not-modified', 'https://x.example/answered?q=1'],
        ['revisit', 'identical-payload-digest', 'https://x.example/other'],
      ],
    );
    const [first, ...revisits] = shown;
    for (const { record } of revisits) {
      assert.equal(header(record, 'WARC-Refers-To'), header(first!.record, 'WARC-Record-ID'));
      assert.equal(header(record, 'WARC-Payload-Digest'), header(first!.record, 'WARC-Payload-Digest'));
    }
    assert.equal(revisits[0]!.record.warcDate, '2026-03-05T00:00:00.000Z');
  });

  it('takes what an older version stored, and lets nothing begin a field', async () => {
    const old = { ...visit, raw_meta: { url: 'https://x.example/', status: '299', content_type: 'text/plain' } };
    const [response] = await read(
      await writeVisit({ ...old, fetch_ms: null, url: 'https://x.example/' }, Buffer.from('x'), createWritten()),
    );
    assert.equal(response!.record.httpHeaders!.statusCode, 299);
    const [info] = await read(await writeWarcInfo('1', 'a\r\nWARC-Type: response'));
    assert.deepEqual([info!.type, header(info!.record, 'WARC-Filename')], ['warcinfo', 'a WARC-Type: response']);
  });
});

function fromBase32(text: string): string {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  return BigInt(`0b${bits.join('')}`)
    .toString(16)
    .padStart(40, '0');
}
