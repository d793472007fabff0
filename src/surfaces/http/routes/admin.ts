import { z } from 'zod';
import { cancelJob } from '../../../operations/admin/cancel-job.ts';
import { checkEngines, EngineCheck } from '../../../operations/admin/check-engines.ts';
import { getJob, getJobVersion } from '../../../operations/admin/get-job.ts';
import { getStats, Stats } from '../../../operations/admin/get-stats.ts';
import { Job } from '../../../operations/admin/job.ts';
import { ListFailedJobsInput, ListJobsInput, listJobs } from '../../../operations/admin/list-jobs.ts';
import { listWorkers, WorkerInfo } from '../../../operations/admin/list-workers.ts';
import { retryJob } from '../../../operations/admin/retry-job.ts';
import { Cleared, clearCache, clearCrawlCache, clearDomainCache } from '../../../operations/cache/clear-cache.ts';
import { CacheStats, getCacheStats } from '../../../operations/cache/get-cache-stats.ts';
import { DomainParams } from '../../../operations/domains/domain.ts';
import { DomainFigures, ListFiguresInput, listDomainFigures } from '../../../operations/domains/list-domain-figures.ts';
import { listPageOf } from '../../../operations/paging.ts';
import { IdParams } from '../../../operations/schemas.ts';
import { getTimeseries, Timeseries, TimeseriesInput } from '../../../operations/stats/get-timeseries.ts';
import { route } from '../route.ts';

const Readiness = z
  .object({
    status: z.enum(['ok', 'degraded', 'down']).describe('degraded: the API works, a part of it does not.'),
    checks: z.record(z.string(), EngineCheck),
  })
  .meta({ id: 'Readiness' });

const clearRoute = (kind: 'query' | 'embeddings', summary: string) =>
  route({
    method: 'DELETE',
    path: `/cache/${kind}`,
    id: `clear${kind[0]!.toUpperCase()}${kind.slice(1)}Cache`,
    summary,
    tag: 'cache',
    access: 'admin',
    bound: 'refused',
    response: Cleared,
    handler: ({ app }) => clearCache(app, kind),
  });

export const adminRoutes = [
  route({
    method: 'GET',
    path: '/health',
    id: 'getHealth',
    summary: 'Is the process alive',
    tag: 'admin',
    access: 'public',
    bound: 'open',
    limit: 'none',
    response: z.object({ status: z.literal('ok'), version: z.string() }).meta({ id: 'Health' }),
    handler: async ({ app }) => ({ status: 'ok' as const, version: app.version }),
  }),
  route({
    method: 'GET',
    path: '/health/ready',
    id: 'getReadiness',
    summary: 'Do the engines answer',
    description: 'Answers 503 when the database does not: nothing works then. Other engines only degrade it.',
    tag: 'admin',
    access: 'public',
    bound: 'open',
    limit: 'none',
    stream: 'application/json',
    response: Readiness,
    also: { 503: 'same' },
    handler: async ({ app, reply }) => {
      const reports = await checkEngines(app);
      const down = reports.filter(({ status }) => status === 'down').map(({ name }) => name);
      const worst = down.length > 0 ? ('degraded' as const) : ('ok' as const);
      const status = down.includes('database') ? ('down' as const) : worst;
      const checks = Object.fromEntries(
        reports.map(({ name, engine, status: state, ms }) => [name, { engine, status: state, ms }]),
      );
      await reply.code(status === 'down' ? 503 : 200).send({ status, checks });
      return { status, checks };
    },
  }),
  route({
    method: 'GET',
    path: '/stats',
    id: 'getStats',
    summary: 'Figures of the installation',
    tag: 'admin',
    access: 'read',
    bound: 'refused',
    response: Stats,
    handler: ({ app }) => getStats(app),
  }),
  route({
    method: 'GET',
    path: '/stats/timeseries',
    id: 'getTimeseries',
    summary: 'A figure over time',
    description:
      'Sums per step, without gaps, 2,000 points at most. Figures are a few seconds old, those of pages two minutes.',
    tag: 'admin',
    access: 'read',
    bound: 'refused',
    example: { query: { metric: 'pages_crawled' } },
    query: TimeseriesInput,
    response: Timeseries,
    handler: ({ app, query }) => getTimeseries(app, query),
  }),
  route({
    method: 'GET',
    path: '/stats/domains',
    id: 'listDomainFigures',
    summary: 'The busiest domains',
    tag: 'admin',
    access: 'read',
    bound: 'refused',
    query: ListFiguresInput,
    response: listPageOf(DomainFigures),
    handler: ({ app, query }) => listDomainFigures(app, query),
  }),
  route({
    method: 'GET',
    path: '/workers',
    id: 'listWorkers',
    summary: 'The processes of this installation',
    tag: 'admin',
    access: 'read',
    bound: 'refused',
    response: listPageOf(WorkerInfo),
    handler: ({ app }) => listWorkers(app),
  }),
  route({
    method: 'GET',
    path: '/jobs',
    id: 'listJobs',
    summary: 'List background jobs',
    tag: 'admin',
    access: 'read',
    bound: 'refused',
    query: ListJobsInput,
    response: listPageOf(Job),
    handler: ({ app, query }) => listJobs(app, query),
  }),
  route({
    method: 'GET',
    path: '/jobs/failed',
    id: 'listFailedJobs',
    summary: 'List failed jobs',
    tag: 'admin',
    access: 'read',
    bound: 'refused',
    query: ListFailedJobsInput,
    response: listPageOf(Job),
    handler: ({ app, query }) => listJobs(app, { ...query, status: 'failed' }),
  }),
  route({
    method: 'GET',
    path: '/jobs/:id',
    id: 'getJob',
    summary: 'Show a job',
    tag: 'admin',
    access: 'read',
    bound: 'refused',
    params: IdParams,
    response: Job,
    version: ({ app, params }) => getJobVersion(app, params.id),
    handler: ({ app, params }) => getJob(app, params.id),
  }),
  route({
    method: 'POST',
    path: '/jobs/:id/cancel',
    id: 'cancelJob',
    summary: 'End a job that waits or runs',
    tag: 'admin',
    access: 'write',
    bound: 'refused',
    errors: ['STATE_CONFLICT'],
    params: IdParams,
    response: Job,
    handler: ({ app, params }) => cancelJob(app, params.id),
  }),
  route({
    method: 'POST',
    path: '/jobs/:id/retry',
    id: 'retryJob',
    summary: 'Start a failed job over',
    tag: 'admin',
    access: 'write',
    bound: 'refused',
    errors: ['STATE_CONFLICT', 'CONFLICT'],
    example: { params: { id: '{failed_job}' } },
    params: IdParams,
    response: Job,
    handler: ({ app, params }) => retryJob(app, params.id),
  }),
  route({
    method: 'DELETE',
    path: '/cache/crawl',
    id: 'clearCrawlCache',
    summary: 'Let no stored response answer for a crawl',
    description: 'Crawls with `max_age_s` fetch anew. The responses stay for replays and history.',
    tag: 'cache',
    access: 'admin',
    bound: 'refused',
    response: Cleared,
    handler: ({ app }) => clearCrawlCache(app),
  }),
  clearRoute('query', 'Clear kept search answers'),
  clearRoute('embeddings', 'Clear kept vectors of texts and queries'),
  route({
    method: 'DELETE',
    path: '/cache/domain/:domain',
    id: 'clearDomainCache',
    summary: 'Clear what is kept of a domain',
    tag: 'cache',
    access: 'admin',
    bound: 'refused',
    params: DomainParams,
    response: Cleared,
    handler: ({ app, params }) => clearDomainCache(app, params.domain),
  }),
  route({
    method: 'GET',
    path: '/cache/stats',
    id: 'getCacheStats',
    summary: 'How full the cache is, and how often it helps',
    tag: 'cache',
    access: 'read',
    bound: 'refused',
    response: CacheStats,
    handler: ({ app }) => getCacheStats(app),
  }),
];
