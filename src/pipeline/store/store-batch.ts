import { countPages } from '../../db/access/page-counts.ts';
import { type CrawlDelta, type CrawlState, crawlDelta } from '../../db/crawls/settle-crawls.ts';
import { type Filing, fileDocuments } from '../../db/documents/document-tags.ts';
import { type DocumentRow, upsertDocuments } from '../../db/documents/documents.ts';
import { type GoneDocument, markGone } from '../../db/documents/gone-documents.ts';
import { touchDocuments } from '../../db/documents/touch-documents.ts';
import { appendEvents } from '../../db/events/append-events.ts';
import { findCrawlsWithPageEvents } from '../../db/events/page-events.ts';
import type { AdmittedTask } from '../../db/frontier/admit-tasks.ts';
import { holdDomains } from '../../db/frontier/frontier.ts';
import { endWithdrawn } from '../../db/frontier/withdrawn.ts';
import { markFolded } from '../../db/pages/canonical-pages.ts';
import { type PageRow, replaceLinks, type StoredPage, upsertPages } from '../../db/pages/pages.ts';
import { finishTasks, insertTaskErrors, type TaskError, type TaskOutcome } from '../../db/tasks/finish-tasks.ts';
import { newId } from '../../ids.ts';
import type { Database, Transaction } from '../../ports/database.ts';
import { type AdmissionRules, admitTasks, type Entry } from '../frontier/admit-tasks.ts';
import type { PageOutcome } from '../outcome.ts';
import { type StoredDocument, toContentEvents, toPageEvents } from './batch-events.ts';
import { foldCanonicals } from './fold-canonicals.ts';
import { leaveForeign } from './leave-foreign.ts';
import { fileSimhashes, findNearDuplicates, type Near } from './near-duplicates.ts';
import { type ReadProduct, storeProducts } from './store-products.ts';

export interface BatchInput {
  outcomes: readonly PageOutcome[];
  /** Blob reference of each outcome's raw response. */
  rawRefs: ReadonlyMap<PageOutcome, string>;
  /** Ids of the domains that candidates lead to. */
  domainIds: ReadonlyMap<string, string>;
}

export interface BatchResult {
  accepted: PageOutcome[];
  admitted: AdmittedTask[];
  crawls: CrawlState[];
  nearDuplicates: Set<PageOutcome>;
  gone: GoneDocument[];
}

interface StoreOptions extends AdmissionRules {
  workerId: string;
  recurrence: { floorS: number; ceilingS: number };
}

/**
 * Writes a batch of outcomes in one transaction: tasks first, because only outcomes whose attempt still holds are
 * stored; then pages, links, documents (with their outbox rows), products, errors; then new tasks and the counters of
 * the crawls, whose rows are locked last and shortest. All of a page is stored, or none of it.
 */
export async function storeBatch(database: Database, options: StoreOptions, input: BatchInput): Promise<BatchResult> {
  return database.transaction(async (tx) => {
    const { outcomes, pageIds: foldedIds } = await foldCanonicals(tx, input.outcomes);
    const rawRefs = new Map(outcomes.map((outcome, at) => [outcome, input.rawRefs.get(input.outcomes[at]!) ?? null]));
    const finished = await finishTasks(
      tx,
      options.workerId,
      outcomes
        .map((outcome) => toTaskOutcome(outcome, rawRefs.get(outcome) ?? null))
        // Locks in the order used everywhere.
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
    // By attempt: a task that was paused and resumed may be in a batch twice, and only its latest attempt counts.
    const held = new Map(finished.map((task) => [task.id, task.attempt]));
    const accepted = outcomes.filter(({ task }) => held.get(task.id) === task.attempt);
    const refused = outcomes.filter(({ task }) => held.get(task.id) !== task.attempt);
    await endWithdrawn(
      tx,
      refused.map(({ task }) => task),
    );
    const pageIds = choosePageIds(accepted);
    const near = await findNearDuplicates(tx, accepted, pageIds);
    const pages = await storePages(tx, accepted, rawRefs, pageIds, near);
    await markFolded(tx, foldedIds);
    await fileSimhashes(tx, accepted, pages);
    await replaceLinks(
      tx,
      uniqueBy(
        accepted.flatMap((outcome) => toLinks(outcome, pages)),
        (row) => row.page_id,
      ),
    );
    const own = await leaveForeign(tx, accepted);
    const documents = await storeDocuments(tx, own, pages, near);
    const gone = await markGone(
      tx,
      own.flatMap((outcome) => outcome.gone ?? []),
    );
    const products = await storeProducts(
      tx,
      accepted.map((outcome) => toReadProduct(outcome, pages)),
    );
    await insertTaskErrors(
      tx,
      accepted.flatMap((outcome) => toError(outcome, options.workerId)),
    );
    const entries = accepted.map((outcome) => toEntry(outcome, pages, options.recurrence));
    const { admitted, crawls } = await admitTasks(tx, entries, input.domainIds, options, {
      deltas: toDeltas(accepted),
      whileLocked: async (crawlIds) => {
        const asked = await findCrawlsWithPageEvents(tx, crawlIds);
        await appendEvents(tx, [
          ...toPageEvents(accepted, asked),
          ...toContentEvents(accepted, { documents, gone, products }),
        ]);
      },
    });
    await holdDomains(tx, accepted.flatMap(toHold));
    await countPages(tx, toPageCounts(accepted));
    const nearDuplicates = new Set(accepted.filter((outcome) => near.has(outcome.page?.url_hash ?? '')));
    return { accepted, admitted, crawls, nearDuplicates, gone };
  });
}

function toTaskOutcome({ task, result }: PageOutcome, rawRef: string | null): TaskOutcome {
  return { ...result, id: task.id, attempt: task.attempt, raw_ref: rawRef, raw_meta: toTaskMeta(result) };
}

/** The header fields of a response are kept once, with its page; a parser that takes over finds them with the task. */
function toTaskMeta({ status, raw_meta }: PageOutcome['result']): TaskOutcome['raw_meta'] {
  if (raw_meta === null || status === 'downloaded') return raw_meta;
  const { headers: _, ip: __, user_agent: ___, ...rest } = raw_meta;
  return rest;
}

/** By address hash: the id the page has, or will have. */
function choosePageIds(outcomes: readonly PageOutcome[]): Map<string, string> {
  return new Map(
    outcomes.flatMap(({ task, page }) => (page ? [[page.url_hash, task.page_id ?? newId()] as const] : [])),
  );
}

async function storePages(
  tx: Transaction,
  outcomes: readonly PageOutcome[],
  rawRefs: ReadonlyMap<PageOutcome, string | null>,
  pageIds: ReadonlyMap<string, string>,
  near: ReadonlyMap<string, Near>,
): Promise<Map<string, StoredPage>> {
  const rows = outcomes.flatMap((outcome): PageRow[] => {
    if (outcome.page === undefined) return [];
    const reference = rawRefs.get(outcome) ?? null;
    return [
      {
        ...outcome.page,
        id: pageIds.get(outcome.page.url_hash)!,
        duplicate_of: near.get(outcome.page.url_hash)?.pageId ?? null,
        raw_ref: reference,
        raw_meta: reference === null ? null : outcome.result.raw_meta,
      },
    ];
  });
  if (rows.length === 0) return new Map();
  const stored = await upsertPages(
    tx,
    uniqueBy(rows, (row) => row.url_hash),
  );
  return new Map(stored.map((page) => [page.url_hash, page]));
}

function toLinks(outcome: PageOutcome, pages: ReadonlyMap<string, StoredPage>) {
  const page = outcome.page === undefined ? undefined : pages.get(outcome.page.url_hash);
  if (page === undefined || outcome.links === undefined || !(page.changed || page.visits === 1)) return [];
  const links = outcome.links;
  return [
    {
      page_id: page.id,
      urls: links.map((link) => link.url),
      anchors: links.map((link) => link.text),
      rels: links.map((link) => link.rel),
    },
  ];
}

async function storeDocuments(
  tx: Transaction,
  outcomes: readonly PageOutcome[],
  pages: ReadonlyMap<string, StoredPage>,
  near: ReadonlyMap<string, Near>,
): Promise<StoredDocument[]> {
  const rows = outcomes.flatMap((outcome): DocumentRow[] => {
    if (outcome.document === undefined) return [];
    const page = pages.get(outcome.page?.url_hash ?? '');
    const group = near.get(outcome.page?.url_hash ?? '')?.group ?? null;
    return [{ ...outcome.document, id: newId(), page_id: page?.id ?? null, duplicate_group: group }];
  });
  const kept = uniqueBy(rows, (row) => row.url_hash);
  const documents = kept.length === 0 ? [] : await upsertDocuments(tx, kept);
  await touchDocuments(
    tx,
    outcomes.flatMap(({ unchanged }) => unchanged ?? []),
  );
  await fileDocuments(tx, outcomes.flatMap(toFiling));
  return documents;
}

/** The collection and tags that a crawl gives its documents, new or not. */
function toFiling({ crawl: { row }, document, unchanged }: PageOutcome): Filing[] {
  const hash = document?.url_hash ?? unchanged;
  if (hash === undefined || (row.collection_id === null && row.tags.length === 0)) return [];
  return [{ url_hash: hash, collection_id: row.collection_id, tags: row.tags }];
}

function toReadProduct(
  { task, document, page, product, shadowProduct }: PageOutcome,
  pages: ReadonlyMap<string, StoredPage>,
): ReadProduct {
  return {
    url: document?.url ?? page?.final_url ?? task.url,
    url_hash: document?.url_hash ?? task.url_hash.toString('hex'),
    domain: document?.domain ?? task.domain,
    page_id: pages.get(page?.url_hash ?? '')?.id ?? null,
    product,
    shadowProduct,
    parser: task.parser,
    shadow_parser: task.shadow_parser,
  };
}

function toError({ task, error, result }: PageOutcome, workerId: string): TaskError[] {
  if (error === undefined) return [];
  const stack =
    error.category === 'internal' ? (error.cause instanceof Error ? error.cause.stack : error.stack) : undefined;
  return [
    {
      id: newId(),
      task_id: task.id,
      attempt: task.attempt,
      category: error.category,
      code: error.code,
      message: result.message ?? error.message,
      stack: stack ?? null,
      worker_id: workerId,
      proxy_id: task.proxy_id,
    },
  ];
}

/** Longer than it takes from this commit to the one that slows the domain down. */
const MIN_PAUSE_MS = 1_000;

/** What is left of the delay after the answer, or the pause a site in trouble asks for: nothing is sent before that is recorded. */
function toHold({ task, answeredAt, feedback }: PageOutcome) {
  const ownFault = feedback.slowDown === true && (feedback.domainId ?? task.domain_id) === task.domain_id;
  if (answeredAt === undefined && !ownFault) return [];
  const rest = answeredAt === undefined ? 0 : task.delay_ms - (performance.now() - answeredAt);
  const left_ms = Math.max(0, rest, ownFault ? MIN_PAUSE_MS : 0);
  return [{ domain_id: task.domain_id, proxy_id: task.proxy_id, left_ms }];
}

/** The links of a page, and its next visit where its crawl comes again. */
function toEntry(
  { task, crawl, candidates, refused, result, page }: PageOutcome,
  pages: ReadonlyMap<string, StoredPage>,
  recurrence: StoreOptions['recurrence'],
): Entry {
  const entry: Entry = { crawl, candidates, refused, createdBy: 'link' };
  if (!task.is_recurring || result.status !== 'completed') return entry;
  const { url, domain, depth, priority } = task;
  const intervalS = nextInterval(task.interval_s ?? 86_400, pages.get(page?.url_hash ?? ''), recurrence);
  const next = { visit: task.visit + 1, intervalS, domainId: task.domain_id };
  const visit = { ...next, url, domain, depth, priority, rank: depth, score: null, parentId: task.id, behind: 0 };
  return { ...entry, visits: [visit] };
}

/** A page that changed is visited sooner, one that did not later: by half, or half as much again. */
function nextInterval(
  interval: number,
  page: { changed: boolean; visits: number } | undefined,
  bounds: { floorS: number; ceilingS: number },
): number {
  const factor = page === undefined || page.visits <= 1 ? 1 : page.changed ? 0.5 : 1.5;
  return Math.round(Math.min(bounds.ceilingS, Math.max(bounds.floorS, interval * factor)));
}

function toDeltas(outcomes: readonly PageOutcome[]): Map<string, CrawlDelta> {
  const deltas = new Map<string, CrawlDelta>();
  for (const { task, result } of outcomes) {
    const delta = deltas.get(task.crawl_id) ?? crawlDelta(task.crawl_id);
    deltas.set(task.crawl_id, delta);
    if (result.status === 'completed') delta.crawled++;
    else if (result.status === 'failed') delta.failed++;
    else if (result.status === 'skipped') delta.skipped++;
    delta.depth = Math.max(delta.depth, task.depth);
  }
  return deltas;
}

/** Stored pages by who they count for: the key, and the person behind it. Crawls of the installation itself count for neither. */
function toPageCounts(outcomes: readonly PageOutcome[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { crawl, result } of outcomes) {
    if (result.status !== 'completed') continue;
    for (const id of new Set([crawl.row.owner, crawl.row.user_id]))
      if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** The last row of each key: one statement must not touch a row twice. */
function uniqueBy<Row>(rows: readonly Row[], key: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [key(row), row])).values()];
}
