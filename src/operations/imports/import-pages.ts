import type { LRUCache } from 'lru-cache';
import type { App } from '../../app.ts';
import type { Refusals } from '../../db/crawls/settle-crawls.ts';
import { findBlockedDomains } from '../../db/domains/domains.ts';
import { findAsNew, type StoredTask } from '../../db/imports/imports.ts';
import { newId } from '../../ids.ts';
import type { ArchivedPage } from '../../pipeline/archive/read-archive.ts';
import { ensureDomainIds } from '../../pipeline/frontier/admit-tasks.ts';
import { refuse } from '../../pipeline/frontier/refusals.ts';
import { toHeaderBlock } from '../../web/header-block.ts';
import { isFieldName } from '../../web/header-fields.ts';
import { hashUrl } from '../../web/url.ts';

/** By payload digest: where the bytes are stored that revisits refer to. */
export type KnownBodies = LRUCache<string, string>;

/** Which pages are taken: not those of a blocked domain, nor those of which a response as new is stored. */
export async function judgePages(
  { database }: App,
  pages: readonly ArchivedPage[],
  refused: Refusals,
): Promise<{ taken: ArchivedPage[]; domainIds: Map<string, string> }> {
  const domainIds = await ensureDomainIds(
    database,
    pages.map(({ domain }) => domain),
  );
  const closed = new Set((await findBlockedDomains(database, [...domainIds.values()])).map(({ domain }) => domain));
  const asNew = await findAsNew(
    database,
    pages.map(({ url, date }) => ({ url_hash: hashUrl(url).toString('hex'), date })),
  );
  const taken = pages.filter(({ url, domain }, place) => {
    const code = closed.has(domain) ? 'DOMAIN_BLOCKED' : asNew.has(place) ? 'NOT_NEWER' : undefined;
    if (code !== undefined) refuse(refused, code, [url]);
    return code === undefined;
  });
  return { taken, domainIds };
}

/** Stores the bodies of pages; a revisit gets those of its payload. One whose payload is not known is not in the answer. */
export async function storeBodies(
  { blobs }: App,
  pages: readonly ArchivedPage[],
  known: KnownBodies,
): Promise<Map<ArchivedPage, string>> {
  const having = pages.filter(({ body }) => body !== undefined);
  const references = await blobs.put(having.map(({ body }) => body!));
  const stored = new Map(having.map((page, at) => [page, references[at]!]));
  for (const page of pages) {
    const reference = stored.get(page);
    if (reference !== undefined && page.payload !== undefined) known.set(page.payload, reference);
    const same = reference ?? (page.payload === undefined ? undefined : known.get(page.payload));
    if (same !== undefined) stored.set(page, same);
  }
  return stored;
}

interface TaskTerms {
  crawlId: string;
  domainId: string;
  priority: number;
  maxRetries: number;
  paused: boolean;
}

/** As a fetcher leaves it, but for the mark that the visit is as old as the archive says. */
export function toStoredTask(page: ArchivedPage, reference: string, terms: TaskTerms): StoredTask {
  const { 'content-type': type, etag, 'last-modified': modified, 'x-robots-tag': robots } = page.headers;
  return {
    id: newId(),
    crawl_id: terms.crawlId,
    domain_id: terms.domainId,
    url: page.url,
    url_hash: hashUrl(page.url).toString('hex'),
    priority: terms.priority,
    max_retries: terms.maxRetries,
    raw_ref: reference,
    raw_meta: {
      url: page.url,
      status: String(page.status),
      headers: toHeaderBlock(cleanHeaders(page.headers)),
      fetched_at: page.date.toISOString(),
      imported: 'true',
      downloaded: 'true',
      total_ms: '0',
      ...(type === undefined ? {} : { content_type: type }),
      ...(robots === undefined ? {} : { robots_tag: robots }),
      ...(etag === undefined ? {} : { etag }),
      ...(modified === undefined ? {} : { last_modified: modified }),
    },
    http_status: page.status,
    created_by: 'import',
    status: terms.paused ? 'paused' : 'downloaded',
  };
}

/** A socket lets only such fields through; an archive may hold anything. */
const cleanHeaders = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => isFieldName(name))
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
      .map(([name, value]) => [name, value.replace(/[\u0000-\u0008\u000a-\u001f\u007f]/g, ' ')]),
  );
