import type { Job } from '../../operations/admin/job.ts';
import type { Crawl } from '../../operations/crawls/crawl.ts';
import type { Domain } from '../../operations/domains/domain.ts';
import type { CrawlConfig } from '../../operations/organise/crawl-config.ts';
import type { PageSummary } from '../../operations/pages/page.ts';
import type { ProxyInfo } from '../../operations/proxies/proxy.ts';
import type { Source } from '../../operations/sources/source.ts';
import type { Task } from '../../operations/tasks/task.ts';
import type { Webhook, WebhookDelivery } from '../../operations/webhooks/webhook.ts';
import type { Action, Kind, Resource } from './manage.ts';
import { describe } from './progress.ts';

type Options = Record<string, Kind>;
const list = (path: string, options: Options = {}): Action => ({ method: 'GET', path, options, lists: true });
const get = (path: string, options: Options = {}): Action => ({ method: 'GET', path, options });
const post = (path: string, rest: Partial<Action> = {}): Action => ({ method: 'POST', path, ...rest });
const remove = (path: string): Action => ({ method: 'DELETE', path });
const priority = (path: string): Action => ({ method: 'PATCH', path: `${path}/priority`, field: 'priority' });
const steps = (path: string, names: readonly string[], options?: Options): Record<string, Action> =>
  Object.fromEntries(
    names.map((name) => [name, post(`${path}/${name}`, options === undefined ? {} : { options })] as const),
  );
const time = (at: Date | string | null) => (at === null ? '' : String(at).slice(0, 16).replace('T', ' '));

const SOURCE: Options = {
  name: 'TEXT',
  'schedule-cron': 'TEXT',
  'time-zone': 'TEXT',
  config: 'TEXT',
  collection: 'TEXT',
  options: 'JSON',
  'is-active': 'true|false',
};
const WEBHOOK: Options = { events: 'A,B', filter: 'JSON', headers: 'JSON' };
const PROXY: Options = {
  name: 'TEXT',
  username: 'TEXT',
  password: 'TEXT',
  'country-code': 'TEXT',
  city: 'TEXT',
  provider: 'TEXT',
  'monthly-cost': 'N',
  'max-requests-per-hour': 'N',
};
const POLICY: Options = {
  'rate-limit-rps': 'N',
  'max-concurrency': 'N',
  autothrottle: 'true|false',
  'maintenance-windows': 'JSON',
  'user-agent': 'TEXT',
  parser: 'TEXT',
  'shadow-parser': 'TEXT',
  'recrawl-interval-s': 'N',
  'proxy-strategy': 'TEXT',
  'proxy-country': 'TEXT',
  'uses-proxies': 'true|false',
  'circuit-threshold': 'N',
  'circuit-timeout-s': 'N',
};

/** Every kind of resource that the command line manages, with its actions. */
export const RESOURCES: Record<string, Resource> = {
  crawls: {
    about: 'crawls, and control over them',
    noun: ['crawl', 'crawls'],
    empty: 'No crawls yet. Start one with: crawl4r crawl URL',
    row: (crawl: Crawl) => [crawl.id, crawl.status, describe(crawl), crawl.urls[0] ?? ''],
    actions: {
      list: list('/crawls', { status: 'TEXT', owner: 'TEXT' }),
      show: get('/crawl/:id'),
      ...steps('/crawl/:id', ['pause', 'resume', 'cancel', 'restart']),
      priority: priority('/crawl/:id'),
    },
  },
  tasks: {
    about: 'pages, fetched or not, and why',
    noun: ['task', 'tasks'],
    empty: 'No tasks here. A crawl makes one for each page: crawl4r crawl URL',
    row: (task: Task) => [task.id, task.status, task.code ?? '', task.url],
    actions: {
      list: list('/tasks', { crawl: 'TEXT', status: 'TEXT', code: 'TEXT', domain: 'TEXT' }),
      show: get('/tasks/:id'),
      errors: get('/tasks/:id/errors'),
      stats: get('/tasks/stats', { crawl: 'TEXT' }),
      ...steps('/tasks/:id', ['pause', 'resume', 'cancel']),
      ...steps('/tasks/:id', ['restart', 'restart-parsing'], { priority: 'PRIORITY', 'scheduled-at': 'TEXT' }),
      priority: priority('/tasks/:id'),
      'restart-failed': post('/tasks/restart-failed', {
        options: { crawl: 'TEXT', domain: 'TEXT', code: 'TEXT', 'failed-after': 'TEXT', limit: 'N' },
      }),
    },
  },
  frontier: {
    about: 'what waits to be fetched',
    noun: ['address waits', 'addresses wait'],
    empty: 'Nothing waits.',
    row: (task: Task) => [task.id, task.status, time(task.due_at), task.url],
    actions: {
      stats: get('/frontier/stats'),
      list: list('/frontier/urls', { crawl: 'TEXT', domain: 'TEXT', state: 'TEXT' }),
      add: post('/frontier/add', { field: 'urls…', options: { crawl: 'TEXT', priority: 'PRIORITY', depth: 'N' } }),
      seed: post('/frontier/seed', { field: 'urls…', options: { crawl: 'TEXT', depth: 'N' } }),
      recover: post('/frontier/recover'),
      clear: {
        ...remove('/frontier'),
        options: { crawl: 'TEXT', domain: 'TEXT', all: 'SWITCH' },
        oneOf: ['crawl', 'domain', 'all'],
      },
    },
  },
  pages: {
    about: 'what is known about each address',
    noun: ['page', 'pages'],
    empty: 'No pages here. A crawl brings them: crawl4r crawl URL',
    row: (page: PageSummary) => [page.id, page.status, String(page.http_status ?? ''), page.error_code ?? '', page.url],
    actions: {
      list: list('/pages', { domain: 'TEXT', status: 'TEXT', query: 'TEXT', sort: 'TEXT' }),
      show: get('/pages/:id'),
      versions: get('/pages/:id/versions'),
      diff: get('/pages/:id/diff', { from: 'N', to: 'N' }),
      forget: {
        ...remove('/pages'),
        options: { ids: 'A,B', domain: 'TEXT', before: 'TEXT' },
        oneOf: ['ids', 'domain', 'before'],
      },
    },
  },
  domains: {
    about: 'politeness and policy per domain; "default" takes a setting back',
    noun: ['domain', 'domains'],
    empty: 'No domains here. They come with the first crawl, or with: crawl4r domains set DOMAIN',
    row: (domain: Domain) => [
      domain.domain,
      domain.stalled_by ?? 'open',
      `${domain.pages_fetched} fetched`,
      `${domain.pages_failed} failed`,
      domain.rate_limit_rps === null ? '' : `${domain.rate_limit_rps}/s`,
    ],
    actions: {
      list: list('/domains', { query: 'TEXT', blocked: 'true|false' }),
      show: get('/domains/:domain'),
      set: { method: 'PUT', path: '/domains/:domain', options: POLICY },
      block: post('/domains/:domain/block', { options: { reason: 'TEXT' } }),
      unblock: post('/domains/:domain/unblock'),
      reset: post('/domains/:domain/reset'),
      robots: get('/domains/:domain/robots'),
      stats: get('/domains/:domain/stats'),
      ...steps('/domains/:domain/tasks', ['pause', 'resume', 'cancel']),
      restart: post('/domains/:domain/tasks/restart', { options: { statuses: 'A,B', limit: 'N' } }),
      priority: priority('/domains/:domain/tasks'),
    },
  },
  proxies: {
    about: 'proxies, and which domains use them',
    noun: ['proxy', 'proxies'],
    empty: 'No proxies. Add one with: crawl4r proxies add http://HOST:PORT --name NAME',
    row: (proxy: ProxyInfo) => [
      proxy.id,
      proxy.is_active ? 'on' : 'off',
      `${proxy.success_count} ok`,
      `${proxy.failure_count} failed in a row`,
      proxy.url,
      proxy.name,
    ],
    actions: {
      list: list('/proxies', { active: 'true|false' }),
      show: get('/proxies/:id'),
      add: post('/proxies', { field: 'url', options: PROXY }),
      set: {
        method: 'PUT',
        path: '/proxies/:id',
        options: { url: 'TEXT', ...PROXY },
        keep: ['name', 'url', 'username', 'country_code', 'provider'],
      },
      delete: remove('/proxies/:id'),
      ...steps('/proxies/:id', ['enable', 'disable']),
      test: post('/proxies/test', { field: 'url', options: { 'target-url': 'TEXT', 'timeout-ms': 'N' } }),
      assign: post('/domains/:domain/proxies', { field: 'proxy_ids…', options: { priority: 'PRIORITY' } }),
      remove: remove('/domains/:domain/proxies/:proxy'),
      health: get('/domains/:domain/proxies/health'),
    },
  },
  sources: {
    about: 'sites that are crawled again on a schedule',
    noun: ['source', 'sources'],
    empty: 'No sources. Add one with: crawl4r sources add URL --name NAME --schedule-cron "0 3 * * *"',
    row: (source: Source) => [
      source.id,
      source.is_active ? 'on' : 'off',
      source.schedule_cron ?? 'by hand',
      source.next_run_at === null ? '' : `next ${time(source.next_run_at)}`,
      source.url,
      source.name,
    ],
    actions: {
      list: list('/sources'),
      show: get('/sources/:id'),
      add: post('/sources', { field: 'url', options: SOURCE }),
      set: {
        method: 'PUT',
        path: '/sources/:id',
        options: { url: 'TEXT', ...SOURCE },
        keep: ['name', 'url', 'crawl_config_id', 'collection_id', 'options', 'schedule_cron', 'time_zone', 'is_active'],
      },
      delete: remove('/sources/:id'),
      trigger: post('/sources/:id/trigger'),
    },
  },
  webhooks: {
    about: 'addresses that receive messages about everything; those of a source with its id',
    noun: ['entry', 'entries'],
    empty: 'None. Add a webhook with: crawl4r webhooks create URL --events crawl.completed,crawl.failed',
    row: (entry: Webhook | WebhookDelivery) =>
      'payload' in entry
        ? [entry.id, entry.status, `${entry.attempts}/${entry.max_attempts}`, time(entry.created_at), entry.event]
        : [entry.id, entry.is_active ? 'on' : 'off', entry.events.join(','), entry.url],
    actions: {
      list: list('/webhooks'),
      show: get('/webhooks/:id'),
      create: post('/webhooks', { field: 'url', options: WEBHOOK }),
      set: {
        method: 'PUT',
        path: '/webhooks/:id',
        options: { url: 'TEXT', ...WEBHOOK, 'is-active': 'true|false' },
        keep: ['url', 'events', 'filter', 'is_active'],
      },
      test: post('/webhooks/:id/test'),
      deliveries: list('/webhooks/:id/deliveries'),
      redeliver: post('/webhooks/:id/deliveries/:delivery/redeliver'),
      'rotate-secret': post('/webhooks/:id/rotate-secret', { options: { 'overlap-s': 'N' } }),
      delete: remove('/webhooks/:id'),
      'list-source': list('/sources/:source/webhooks'),
      'create-source': post('/sources/:source/webhooks', { field: 'url', options: WEBHOOK }),
    },
  },
  configs: {
    about: 'crawl options kept under a name',
    noun: ['config', 'configs'],
    empty: `No configs. Add one with: crawl4r configs add NAME --options '{"max_depth": 3}'`,
    row: (config: CrawlConfig) => [config.id, config.name, JSON.stringify(config.options)],
    actions: {
      list: list('/configs'),
      show: get('/configs/:id'),
      add: post('/configs', { field: 'name', options: { options: 'JSON' } }),
      set: {
        method: 'PUT',
        path: '/configs/:id',
        options: { name: 'TEXT', options: 'JSON' },
        keep: ['name', 'options'],
      },
      delete: remove('/configs/:id'),
    },
  },
  jobs: {
    about: 'background work',
    noun: ['job', 'jobs'],
    empty: 'No jobs here. Discoveries, sitemaps of a crawl and product images are fetched by jobs.',
    row: (job: Job) => [job.id, job.status, job.kind, job.error_code ?? '', job.error ?? ''],
    actions: {
      list: list('/jobs', { kind: 'TEXT', status: 'TEXT' }),
      failed: list('/jobs/failed', { kind: 'TEXT' }),
      show: get('/jobs/:id'),
      cancel: post('/jobs/:id/cancel'),
      retry: post('/jobs/:id/retry'),
    },
  },
  discover: {
    about: 'the addresses of a site, looked for by the server; map does it without one',
    noun: ['discovery', 'discoveries'],
    empty: 'Nothing was found.',
    row: () => [],
    actions: {
      start: post('/discover', {
        field: 'domain',
        options: { sources: 'A,B', pattern: 'TEXT', 'max-urls': 'N', 'score-query': 'TEXT', 'score-threshold': 'N' },
      }),
      show: get('/discover/:id'),
      score: post('/discover/score', { field: 'urls…', options: { query: 'TEXT', 'score-threshold': 'N' } }),
    },
  },
};
