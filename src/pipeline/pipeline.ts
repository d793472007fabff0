import type { ClaimedTask } from '../db/frontier/frontier.ts';
import { toAppError } from '../errors.ts';
import type { Slot } from '../gate.ts';
import type { Sql } from '../ports/database.ts';
import type { ExtractPool } from './extract/pool.ts';
import { type FetchDeps, fetchPage, type TaskTurn } from './fetch/fetch-page.ts';
import { type AdmissionLimits, admitLinks } from './frontier/admit-links.ts';
import type { CrawlContext } from './frontier/crawl-context.ts';
import { refuse } from './frontier/refusals.ts';
import type { TrapGuard } from './frontier/traps.ts';
import type { PageOutcome } from './outcome.ts';
import { failTask } from './task/fail-task.ts';
import { handOver } from './task/hand-over.ts';
import { linksOf, refusalOf } from './task/judge-page.ts';
import { keepPage } from './task/keep-page.ts';
import { toPageOutcome } from './task/page-outcome.ts';
import { readPage } from './task/read-page.ts';

/**
 * One task from claim to outcome:
 *
 *   frontier (claim, turn) → fetch (robots, guard, request) → extract (threads) → frontier (admit links) → store
 *
 * `store` writes the outcome, `index` picks the document up from the outbox, `search` answers from the index; discovery
 * feeds the frontier from sitemaps and feeds. Nothing here writes: an outcome is plain data.
 */
export interface PipelineDeps extends FetchDeps {
  sql: Sql;
  /** Runs the reading of a page; the worker notes meanwhile which page it is, where that may matter. */
  watch<T>(task: ClaimedTask, body: Uint8Array, read: () => Promise<T>): Promise<T>;
  extractor: ExtractPool;
  traps: TrapGuard;
  limits: AdmissionLimits;
  /** Between attempts, and between the rounds of the dead-letter list. */
  retry: { delaysMs: readonly number[]; deadLetterMs: readonly number[] };
  languages: readonly string[];
  /** Ends a task with its response: another role parses. */
  fetchOnly?: boolean;
  boilerplateOf(domainId: string): readonly string[] | undefined;
}

/**
 * The stages of a task, in order; each is a file of `task/` or of the stage's own folder.
 *
 * Undefined: the page could not be requested in this turn of its domain; the task goes back unchanged. A large page
 * takes `slot`, which the caller releases when the outcome is stored.
 */
export async function runTask(
  deps: PipelineDeps,
  task: ClaimedTask,
  crawl: CrawlContext,
  turn: TaskTurn,
  slot: Slot,
): Promise<PageOutcome | undefined> {
  try {
    const fetched = await fetchPage(deps, task, crawl, turn, slot);
    if (fetched.kind === 'turn_over') return undefined;
    if (fetched.kind === 'not_modified') return await keepPage(deps, task, crawl, fetched);
    if (deps.fetchOnly === true) return handOver(task, crawl, fetched.page);
    const { body, page } = await readPage(deps, task, crawl, turn, fetched.page);
    const languages = crawl.row.options.languages ?? deps.languages;
    const refusal = refusalOf(page, languages);
    const links = linksOf(page, languages);
    const admission = admitLinks(links, { crawl, parentId: task.id, depth: task.depth + 1 }, deps.traps, deps.limits);
    if (page.linksBeyond !== undefined && crawl.row.max_depth > 0)
      refuse(admission.refused, 'LINK_LIMIT', page.linksBeyond.samples, page.linksBeyond.count);
    return toPageOutcome({ task, crawl, body, page, links, refusal, admission });
  } catch (thrown) {
    const error = toAppError(thrown);
    // Its domain was blocked after the claim: what waits, waits.
    if (error.code === 'DOMAIN_BLOCKED' && error.failure?.domain === task.domain) return undefined;
    return failTask(deps, task, crawl, error);
  }
}
