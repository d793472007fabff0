import type { DomainFeedback } from '../../db/domains/domains.ts';
import type { PageOutcome } from '../outcome.ts';

/** What a batch of outcomes says about each site, in the order the outcomes came. */
export function toFeedback(outcomes: readonly PageOutcome[]): DomainFeedback[] {
  const rows = new Map<string, DomainFeedback & { latencies: number[] }>();
  const rowOf = (id: string) => {
    const row = rows.get(id) ?? {
      id,
      fetched: 0,
      failed: 0,
      trailing_failures: 0,
      successes: 0,
      latency_ms: null,
      pause_ms: 0,
      slow_down: false,
      latencies: [],
    };
    rows.set(id, row);
    return row;
  };
  for (const { task, feedback, result } of outcomes) {
    const own = rowOf(task.domain_id);
    if (result.status === 'completed') own.fetched++;
    if (result.status === 'failed') own.failed++;
    const row = rowOf(feedback.domainId ?? task.domain_id);
    if (feedback.ok === true) {
      row.successes++;
      row.trailing_failures = 0;
    }
    if (feedback.ok === false) row.trailing_failures++;
    if (feedback.latencyMs !== undefined) row.latencies.push(feedback.latencyMs);
    row.pause_ms = Math.max(row.pause_ms, Math.round(feedback.pauseMs ?? 0));
    row.slow_down ||= feedback.slowDown === true;
  }
  return [...rows.values()].map(({ latencies, ...row }) => ({
    ...row,
    latency_ms: latencies.length === 0 ? null : latencies.reduce((sum, each) => sum + each, 0) / latencies.length,
  }));
}
