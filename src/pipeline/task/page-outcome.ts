import type { ClaimedTask } from '../../db/frontier/frontier.ts';
import type { AppError } from '../../errors.ts';
import { hashUrl, parseUrl } from '../../web/url.ts';
import { toStoredMetadata } from '../extract/stored-metadata.ts';
import type { Link, ReadPage } from '../extract/types.ts';
import type { PageBody } from '../fetch/fetch-page.ts';
import type { Admission } from '../frontier/admit-links.ts';
import type { CrawlContext } from '../frontier/crawl-context.ts';
import { goneByPage } from '../gone.ts';
import type { PageOutcome } from '../outcome.ts';
import { toRawMeta } from './raw-meta.ts';

interface PageRead {
  task: ClaimedTask;
  crawl: CrawlContext;
  body: PageBody;
  page: ReadPage;
  links: Link[];
  /** Why it is not kept as a document. */
  refusal: AppError | undefined;
  admission: Admission;
}

/** All that is stored of a page that was read. */
export function toPageOutcome(read: PageRead): PageOutcome {
  const { task, crawl, body, page: extracted, links, refusal, admission } = read;
  const noindex = refusal?.code === 'NOINDEX';
  const final = parseUrl(body.url);
  const finalUrl = final.ok ? final.url : task.url;
  return {
    ...admission,
    task,
    crawl,
    result: {
      status: refusal === undefined ? 'completed' : 'skipped',
      code: refusal?.code ?? null,
      message: refusal?.message ?? null,
      http_status: body.status,
      response_ms: Math.round(body.totalMs),
      raw_meta: toRawMeta(body, crawl),
      delay_ms: 0,
      failed: 0,
    },
    ...(body.reused ? {} : body.rawRef === undefined ? { raw: body.body } : { rawRef: body.rawRef }),
    page: {
      url: task.url,
      url_hash: task.url_hash.toString('hex'),
      domain_id: task.domain_id,
      status: 'fetched',
      http_status: body.status,
      final_url: finalUrl === task.url ? null : finalUrl,
      content_type: body.contentType ?? null,
      content_length: body.body.length,
      title: extracted.title || null,
      description: extracted.metadata.description ?? null,
      language: extracted.language ?? null,
      content_hash: extracted.contentHash,
      simhash: extracted.simhash,
      ...canonicalOf(extracted, final),
      etag: body.etag ?? null,
      last_modified: body.lastModified ?? null,
      links_count: extracted.links.length,
      error_code: refusal?.code ?? null,
      fetch_ms: Math.round(body.totalMs),
      has_body: true,
      visited: body.asked,
      fetched_at: visitTime(body),
    },
    links,
    ...(refusal === undefined
      ? { document: toDocument(task, crawl, extracted, finalUrl, final.ok ? final.domain : task.domain, body) }
      : {}),
    ...goneByPage(task.url, body, noindex),
    ...(extracted.product === undefined || noindex ? {} : { product: extracted.product }),
    ...(extracted.shadowProduct === undefined || noindex ? {} : { shadowProduct: extracted.shadowProduct }),
    parsed: true,
    blocks: extracted.blocks,
    // For a page handed over by a fetcher, the fetcher already reported what the answer says about the site.
    feedback:
      !body.asked || body.rawRef !== undefined
        ? {}
        : { ok: true, ...(body.latencyMs === undefined ? {} : { latencyMs: body.latencyMs }) },
  };
}

/** Null: now. */
const visitTime = ({ imported, fetchedAt }: PageBody) => (imported === true ? (fetchedAt ?? null) : null);

/** A canonical address counts when it is another one of the same domain. */
function canonicalOf({ canonical }: ReadPage, final: ReturnType<typeof parseUrl>) {
  const named = canonical === undefined ? undefined : parseUrl(canonical);
  if (!named?.ok || !final.ok || named.url === final.url || named.domain !== final.domain)
    return { canonical_url: null, canonical_hash: null };
  return { canonical_url: named.url, canonical_hash: hashUrl(named.url).toString('hex') };
}

function toDocument(
  task: ClaimedTask,
  crawl: CrawlContext,
  extracted: ReadPage,
  url: string,
  domain: string,
  body: PageBody,
): PageOutcome['document'] {
  const { row } = crawl;
  const { chunking_strategy, chunk_size, chunk_overlap, min_chunk_size } = row.options;
  return {
    url,
    url_hash: url === task.url ? task.url_hash.toString('hex') : hashUrl(url).toString('hex'),
    domain,
    // A further visit has the one before it as its parent.
    parent_task_id: task.visit === 0 ? task.parent_id : null,
    title: extracted.title || null,
    content: extracted.markdown,
    content_hash: extracted.contentHash,
    language: extracted.language ?? null,
    content_type: body.contentType?.split(';')[0]?.trim().toLowerCase() || 'text/html',
    kind: extracted.kind,
    source: 'crawl',
    fetched_at: visitTime(body),
    collection_id: row.collection_id,
    source_id: row.source_id,
    metadata: toStoredMetadata(extracted.metadata),
    chunking: {
      ...(chunking_strategy === undefined ? {} : { strategy: chunking_strategy }),
      ...(chunk_size === undefined ? {} : { size: chunk_size }),
      ...(chunk_overlap === undefined ? {} : { overlap: chunk_overlap }),
      ...(min_chunk_size === undefined ? {} : { min: min_chunk_size }),
    },
    priority: task.priority,
  };
}
