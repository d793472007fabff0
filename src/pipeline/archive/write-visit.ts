import { STATUS_CODES } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { StoredVisit } from '../../db/exports/stored-responses.ts';
import { newId } from '../../ids.ts';
import { ACCEPT_ENCODING } from '../../web/decode-body.ts';
import { readHeaderBlock } from '../../web/header-block.ts';
import { ACCEPT } from '../../web/header-fields.ts';
import { digestOf, recordUri, writeRecord } from './warc-record.ts';

const PROFILE = 'http://netpreserve.org/warc/1.1/revisit';
/** Bodies are stored decoded: these fields say how they came, not how they are. */
const ABOUT_TRANSFER = new Set(['content-encoding', 'transfer-encoding', 'content-length', 'connection', 'keep-alive']);

/** A response that is in the archive already. */
interface Written {
  id: string;
  url: string;
  date: Date;
}

/** What was written so far: the same bytes are written once. A reader that remembers as many responses can resolve every reference. */
export type WrittenResponses = LRUCache<string, Written>;
export const MAX_WRITTEN = 10_000;
export const createWritten = (): WrittenResponses => new LRUCache({ max: MAX_WRITTEN });

export const writeWarcInfo = (version: string, name: string): Promise<Uint8Array> =>
  writeRecord({
    type: 'warcinfo',
    id: newId(),
    date: new Date(),
    contentType: 'application/warc-fields',
    more: { 'WARC-Filename': name },
    block: Buffer.from(
      `software: crawl4r/${version}\r\nformat: WARC File Format 1.1\r\nconformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n`,
    ),
  });

/**
 * The records of one visit: request, response and metadata; a response whose bytes were written already, and a visit the site
 * answered with 304, as a revisit that names the record with the bytes.
 */
export async function writeVisit(visit: StoredVisit, body: Uint8Array, written: WrittenResponses): Promise<Uint8Array> {
  const meta = visit.raw_meta ?? {};
  const url = meta.url ?? visit.url;
  const date = new Date(meta.fetched_at ?? visit.visited_at ?? 0);
  const payload = digestOf(body);
  const before = written.get(payload);
  const same = before !== undefined && before.url === url && before.date.getTime() === date.getTime();
  const records: Uint8Array[] = [];
  const response = same ? before : { id: newId(), url, date };
  if (!same) {
    const target = targetFields(url, meta.ip);
    const block = responseBlock(meta, before === undefined ? body : undefined, body.length);
    records.push(
      await writeRecord({
        type: before === undefined ? 'response' : 'revisit',
        id: response.id,
        date,
        contentType: 'application/http; msgtype=response',
        block,
        more: {
          ...target,
          'WARC-Payload-Digest': payload,
          ...(before === undefined ? {} : refersTo(before, 'identical-payload-digest')),
        },
      }),
    );
    if (meta.user_agent !== undefined) records.unshift(await writeRequest(url, date, meta.user_agent, response.id));
    const about = aboutVisit(visit, url);
    if (about !== '')
      records.push(
        await writeRecord({
          type: 'metadata',
          id: newId(),
          date,
          contentType: 'application/warc-fields',
          block: Buffer.from(about),
          more: { 'WARC-Target-URI': url, 'WARC-Concurrent-To': recordUri(response.id) },
        }),
      );
    if (before === undefined) written.set(payload, response);
  }
  if (visit.http_status === 304 && visit.visited_at !== null)
    records.push(await writeNotModified(visit.visited_at, payload, response));
  return Buffer.concat(records);
}

const targetFields = (url: string, ip: string | undefined) => ({ 'WARC-Target-URI': url, 'WARC-IP-Address': ip });

const refersTo = ({ id, url, date }: Written, profile: string) => ({
  'WARC-Profile': `${PROFILE}/${profile}`,
  'WARC-Refers-To': recordUri(id),
  'WARC-Refers-To-Target-URI': url,
  'WARC-Refers-To-Date': date.toISOString(),
});

/** Header fields as they came, but for those of the transfer: they stay readable under another name. */
function responseBlock(meta: Record<string, string>, body: Uint8Array | undefined, length: number): Buffer {
  const status = Number(meta.status ?? 200);
  const kept = meta.headers ?? (meta.content_type === undefined ? '' : `content-type: ${meta.content_type}\r\n`);
  const lines = readHeaderBlock(kept).map(([name, value]) =>
    ABOUT_TRANSFER.has(name) ? `X-Archive-Orig-${name}: ${value}\r\n` : `${name}: ${value}\r\n`,
  );
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}content-length: ${length}\r\n\r\n`;
  // Header fields hold bytes, one a character.
  return Buffer.concat([Buffer.from(head, 'latin1'), body ?? Buffer.alloc(0)]);
}

/** What was asked, without what a caller gave along: that may be secret. */
function writeRequest(url: string, date: Date, userAgent: string, responseId: string): Promise<Uint8Array> {
  const { host, pathname, search } = new URL(url);
  const fields = { host, 'user-agent': userAgent, accept: ACCEPT, 'accept-encoding': ACCEPT_ENCODING };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return writeRecord({
    type: 'request',
    id: newId(),
    date,
    contentType: 'application/http; msgtype=request',
    block: Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'),
    more: { 'WARC-Target-URI': url, 'WARC-Concurrent-To': recordUri(responseId) },
  });
}

const aboutVisit = (visit: StoredVisit, url: string) =>
  [
    ...(visit.url === url ? [] : [`requestedUrl: ${visit.url}\r\n`]),
    ...(visit.fetch_ms === null ? [] : [`fetchTimeMs: ${visit.fetch_ms}\r\n`]),
  ].join('');

const writeNotModified = (date: Date, payload: string, response: Written): Promise<Uint8Array> =>
  writeRecord({
    type: 'revisit',
    id: newId(),
    date,
    contentType: 'application/http; msgtype=response',
    block: Buffer.from('HTTP/1.1 304 Not Modified\r\n\r\n'),
    more: {
      'WARC-Target-URI': response.url,
      'WARC-Payload-Digest': payload,
      ...refersTo(response, 'server-not-modified'),
    },
  });
