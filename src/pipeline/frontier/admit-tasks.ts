import type { Settings } from '../../config/settings.ts';
import {
  type CrawlDelta,
  type CrawlState,
  crawlDelta,
  type Refusals,
  settleCrawls,
} from '../../db/crawls/settle-crawls.ts';
import { CRAWLS_OPEN } from '../../db/crawls/states.ts';
import { ensureDomains, findBlockedDomains } from '../../db/domains/domains.ts';
import {
  type AdmittedTask,
  insertTasks,
  type LockedCrawl,
  lockCrawls,
  type NewTask,
} from '../../db/frontier/admit-tasks.ts';
import type { ErrorCode } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Sql, Transaction } from '../../ports/database.ts';
import { hashUrl } from '../../web/url.ts';
import type { CrawlContext } from './crawl-context.ts';
import { refuse } from './refusals.ts';

/** An address that may become a task: everything but the database's say. */
export interface Candidate {
  url: string;
  domain: string;
  depth: number;
  rank: number;
  /** Only a best-first crawl scores its links. */
  score: number | null;
  parentId: string | null;
  /** Steps behind the priority of its crawl: 1 for lists of pages, 0 for pages. */
  behind: number;
  /** Instead of the crawl's. */
  priority?: number | undefined;
}

/** A further visit of a page. */
export interface PlannedVisit extends Candidate {
  domainId: string;
  visit: number;
  intervalS: number;
}

/** Candidates for one crawl, and what else changes about it. */
export interface Entry {
  crawl: Pick<CrawlContext, 'row'>;
  candidates: readonly Candidate[];
  /** Refused before it came to the database. */
  refused?: Refusals;
  visits?: readonly PlannedVisit[];
  /** Where they come from: `link`, `sitemap`, or a caller's name. */
  createdBy: string;
  /** Not before this time. */
  scheduledAt?: Date | undefined;
}

export interface AdmissionRules {
  /** New URLs a crawl may bring in a second; 0: any number. */
  maxNewUrlsPerSecond: number;
  maxRetries: number;
}

export const admissionRules = (settings: Settings): AdmissionRules => ({
  maxNewUrlsPerSecond: settings.frontier.maxNewUrlsPerSecond,
  maxRetries: settings.job.maxRetries,
});

export interface AdmissionResult {
  admitted: AdmittedTask[];
  /** Addresses the database refused, each with its reason; those the crawl has already are not among them. */
  refused: { url: string; crawlId: string; code: ErrorCode }[];
  /** The crawls as they are now. */
  crawls: CrawlState[];
  /** Crawls that were over: nothing enters them. */
  closed: string[];
}

/** What happens to the same crawls in the same transaction. */
interface WithIt {
  /** Counted in the same statement. */
  deltas?: Map<string, CrawlDelta>;
  /** Runs once the crawls are locked, before their counters change: its events come before those of the change. */
  whileLocked?: (crawlIds: string[]) => Promise<void>;
}

/** The ids of domains, made where there is no row; before the transaction, so that no crawl waits for it. */
export async function ensureDomainIds(sql: Sql, names: Iterable<string>): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  let missing = [...new Set(names)];
  // A domain that another process enters at the same moment is neither made nor seen by the first statement; it is by the second.
  for (let look = 0; look < 2 && missing.length > 0; look++) {
    const rows = await ensureDomains(
      sql,
      missing.map((domain) => ({ id: newId(), domain })),
    );
    for (const { domain, id } of rows) ids.set(domain, id);
    missing = missing.filter((domain) => !ids.has(domain));
  }
  return ids;
}

/**
 * The one door through which tasks enter crawls: locks the crawls, leaves out what their state, a blocked domain or the
 * page limit forbids, inserts the rest at the crawl's pace, counts both, and lets the crawls go on or end. Four statements,
 * however many crawls and addresses there are.
 */
export async function admitTasks(
  tx: Transaction,
  entries: readonly Entry[],
  domainIds: ReadonlyMap<string, string>,
  rules: AdmissionRules,
  { deltas = new Map(), whileLocked }: WithIt = {},
): Promise<AdmissionResult> {
  const deltaOf = (id: string) => {
    const delta = deltas.get(id) ?? crawlDelta(id);
    deltas.set(id, delta);
    return delta;
  };
  for (const { crawl } of entries) deltaOf(crawl.row.id);
  const lockedCrawls = await lockCrawls(tx, [...deltas.keys()]);
  await whileLocked?.([...deltas.keys()]);
  const open = new Map(
    lockedCrawls.filter(({ status }) => CRAWLS_OPEN.includes(status)).map((locked) => [locked.id, locked]),
  );
  const blocked = await findBlocked(tx, entries, domainIds);
  const pace = rules.maxNewUrlsPerSecond > 0 ? 1_000 / rules.maxNewUrlsPerSecond : 0;
  const refused: AdmissionResult['refused'] = [];
  const rows: NewTask[] = [];
  for (const entry of entries) {
    const crawlId = entry.crawl.row.id;
    const locked = open.get(crawlId);
    for (const [code, { count, samples }] of Object.entries(entry.refused ?? {}))
      refuse(deltaOf(crawlId).refused, code as ErrorCode, samples, count);
    if (locked === undefined) continue;
    for (const candidate of entry.candidates)
      if (blocked.has(candidate.domain)) refused.push({ url: candidate.url, crawlId, code: 'DOMAIN_BLOCKED' });
      else rows.push(toTask(entry, candidate, locked, domainIds.get(candidate.domain)!, rules, takePace(locked, pace)));
    for (const visit of entry.visits ?? [])
      rows.push(toTask(entry, visit, locked, visit.domainId, rules, visit.intervalS * 1_000));
  }
  const { admitted, beyond } =
    rows.length === 0 ? { admitted: [], beyond: [] } : await insertTasks(tx, rows, lockedCrawls);
  countRows(rows, admitted, beyond, refused, pace, deltaOf);
  const crawls = await settleCrawls(tx, [...deltas.values()]);
  return { admitted, refused, crawls, closed: [...deltas.keys()].filter((id) => !open.has(id)) };
}

/** New URLs beyond the crawl's rate enter later, not never: their time is put off by what came before them. */
function takePace(locked: LockedCrawl, pace: number): number {
  const wait = locked.admit_in_ms;
  locked.admit_in_ms += pace;
  return wait > 1_000 ? Math.round(wait) : 0;
}

function toTask(
  { crawl: { row }, createdBy, scheduledAt }: Entry,
  candidate: Candidate | PlannedVisit,
  locked: LockedCrawl,
  domainId: string,
  { maxRetries }: AdmissionRules,
  waitMs: number,
): NewTask {
  const visit = 'visit' in candidate ? candidate.visit : 0;
  return {
    id: newId(),
    crawl_id: row.id,
    domain_id: domainId,
    parent_id: candidate.parentId,
    url: candidate.url,
    url_hash: hashUrl(candidate.url).toString('hex'),
    depth: candidate.depth,
    rank: candidate.rank,
    priority: Math.min(10, (candidate.priority ?? locked.priority) + candidate.behind),
    score: candidate.score,
    is_recurring: row.options.recurring === true,
    interval_s: 'visit' in candidate ? candidate.intervalS : (row.options.interval_s ?? null),
    visit,
    delay_ms: Math.max(waitMs, scheduledAt === undefined ? 0 : scheduledAt.getTime() - Date.now()),
    max_retries: row.options.max_retries ?? maxRetries,
    created_by: visit > 0 ? 'recurrence' : createdBy,
    status: locked.status === 'paused' ? 'paused' : 'pending',
  };
}

async function findBlocked(
  tx: Transaction,
  entries: readonly Entry[],
  domainIds: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  const names = new Set(entries.flatMap(({ candidates }) => candidates.map(({ domain }) => domain)));
  if (names.size === 0) return names;
  const rows = await findBlockedDomains(
    tx,
    [...names].map((name) => domainIds.get(name)!),
  );
  return new Set(rows.map(({ domain }) => domain));
}

function countRows(
  rows: readonly NewTask[],
  admitted: readonly AdmittedTask[],
  beyond: readonly string[],
  refused: AdmissionResult['refused'],
  pace: number,
  deltaOf: (id: string) => CrawlDelta,
): void {
  const kept = new Set(admitted.map(({ id }) => id));
  const left = new Set(beyond);
  for (const { id, crawl_id, url, visit, status, delay_ms } of rows) {
    if (left.has(id)) refused.push({ url, crawlId: crawl_id, code: 'PAGE_LIMIT' });
    if (!kept.has(id)) continue;
    const delta = deltaOf(crawl_id);
    if (visit > 0 && status === 'pending' && delay_ms > 0) delta.planned++;
    else {
      delta.discovered++;
      if (visit > 0) delta.revisits++;
      else delta.admitted_ms += pace;
    }
  }
  for (const { crawlId, code, url } of refused) refuse(deltaOf(crawlId).refused, code, [url]);
}
