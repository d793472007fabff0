import type { ClaimedTask } from '../../db/frontier/frontier.ts';
import type { AppError } from '../../errors.ts';
import { retryDelay } from '../fetch/retry.ts';
import type { CrawlContext } from '../frontier/crawl-context.ts';
import { goneByFailure } from '../gone.ts';
import type { PageOutcome } from '../outcome.ts';
import type { PipelineDeps } from '../pipeline.ts';
import { emptyPage } from './empty-page.ts';

/** Up to this many attempts, trouble that is not the page's own (no proxy, no turn) does not count against it. */
const MAX_BLAMELESS_ATTEMPTS = 20;

/** What a failure means for the task (again, skipped or failed), for the site, and for the proxy it went through. */
export function failTask(deps: PipelineDeps, task: ClaimedTask, crawl: CrawlContext, error: AppError): PageOutcome {
  const delay = retryDelay(error, task.failures, { maxRetries: task.max_retries, delaysMs: deps.retry.delaysMs });
  const status = delay !== undefined ? 'pending' : error.has('skip') ? 'skipped' : 'failed';
  const retryMs = status === 'failed' && error.retryable ? deps.retry.deadLetterMs[task.dlq_retries] : undefined;
  const { status: httpStatus = null, domainId, elsewhere = false, proxyId = task.proxy_id } = error.failure ?? {};
  const slow = error.code === 'HTTP_429' || httpStatus === 503;
  const failedProxy = error.code === 'PROXY_FAILED' ? proxyId : null;
  const blameless = error.has('blameless') && task.attempt <= MAX_BLAMELESS_ATTEMPTS;
  // After a redirect, the page itself was still requested.
  const visited = !error.has('unasked') || elsewhere;
  return {
    task,
    crawl,
    candidates: [],
    refused: {},
    result: {
      status,
      code: error.code,
      message: error.message,
      http_status: httpStatus,
      response_ms: null,
      raw_meta: null,
      delay_ms: delay ?? 0,
      failed: status === 'skipped' || blameless ? 0 : 1,
      ...(retryMs === undefined ? {} : { retry_ms: retryMs * (1 + Math.random() / 4) }),
    },
    page: emptyPage(task, {
      status: status === 'skipped' ? 'blocked' : visited ? 'failed' : 'never_crawled',
      http_status: httpStatus,
      error_code: error.code,
      visited,
    }),
    ...(status === 'failed' ? goneByFailure(task.url, error) : {}),
    error,
    feedback: {
      ...(domainId === undefined ? {} : { domainId }),
      ...(error.has('site_fault') && (!elsewhere || domainId !== undefined) ? { ok: false } : {}),
      ...(slow ? { slowDown: true, pauseMs: error.retryAfterMs ?? 0 } : {}),
      ...(failedProxy === null ? {} : { failedProxy }),
    },
  };
}
