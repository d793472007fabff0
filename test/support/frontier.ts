import type { ClaimedTask, ClaimLimits } from '../../src/db/frontier/frontier.ts';
import type { TaskOutcome } from '../../src/db/tasks/finish-tasks.ts';

/** A worker without a limit of tasks, at domains without a pace of their own. */
export const limits = (over: Partial<ClaimLimits> = {}): ClaimLimits => ({
  workerId: 'w1',
  max: 100,
  leaseMs: 60_000,
  defaultRps: 0,
  defaultConcurrency: 1000,
  windowMs: 2_000,
  aheadMs: 100,
  ...over,
});

/** A page that was read and stored. */
export const done = (task: { id: string; attempt: number }, over: Partial<TaskOutcome> = {}): TaskOutcome => ({
  id: task.id,
  attempt: task.attempt,
  status: 'completed',
  code: null,
  message: null,
  http_status: 200,
  response_ms: 1,
  raw_ref: null,
  raw_meta: null,
  delay_ms: 0,
  failed: 0,
  ...over,
});

export const urls = (host: string, count: number) =>
  Array.from({ length: count }, (_, index) => `http://${host}/${index}`);

/** The turn of a task, as endTurn takes it. */
export const turnOf = (task: ClaimedTask) => ({ domainId: task.domain_id, proxyId: task.proxy_id, end: task.turn_end });
