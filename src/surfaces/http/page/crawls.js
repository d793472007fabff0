import { call, watch } from './api.js';
import { ago, byId, h } from './dom.js';

/** The live crawl and the list of recent ones. */

const DETAILS_EVERY_MS = 3_000;
const ENDED = ['completed', 'failed', 'cancelled'];
/** Events that say where a crawl stands. */
const TELLING = ['started', 'progress', 'paused', 'resumed', 'restarted', ...ENDED].map((name) => `crawl.${name}`);

/** Why an address was not fetched, in a few words; codes without any speak for themselves. */
const REASONS = {
  ROBOTS_DISALLOWED: 'robots.txt forbids it',
  ROBOTS_UNAVAILABLE: 'robots.txt could not be read',
  OUT_OF_SCOPE: 'outside the crawl’s scope',
  DEPTH_LIMIT: 'deeper than the crawl goes',
  PAGE_LIMIT: 'the page limit was reached',
  LINK_LIMIT: 'too many links on one page',
  TRAP_DETECTED: 'looks like an endless series',
  LANGUAGE_SKIPPED: 'in a language that is not kept',
  DUPLICATE_CONTENT: 'same content as another page',
  NOINDEX: 'asks not to be indexed',
  NOFOLLOW: 'the link asks not to be followed',
  CONTENT_EMPTY: 'nothing to read on it',
  SCORE_TOO_LOW: 'not close enough to the topic',
  CONTENT_TYPE_UNSUPPORTED: 'not a kind of document we read',
  URL_BLOCKED: 'a private address',
  URL_INVALID: 'not a usable address',
  HTTP_4XX: 'the site refused it',
  HTTP_5XX: 'the site failed',
};

const say = (code) => REASONS[code] ?? code.toLowerCase().replaceAll('_', ' ');

export function startCrawls(onChange) {
  let followed;
  let following = new AbortController();
  let lastDetails = 0;

  const show = (crawl) => byId('live').replaceChildren(...liveView(crawl, () => follow(crawl.id)));

  async function showDetails(id) {
    lastDetails = performance.now();
    const [crawl, done, skipped, failed] = await Promise.all([
      call('GET', `/crawl/${id}`),
      ...['completed', 'skipped', 'failed'].map((status) =>
        call('GET', `/crawl/${id}/tasks?limit=${status === 'completed' ? 8 : 50}&status=${status}`),
      ),
    ]);
    if (followed !== id) return;
    showRefused(crawl.links_refused);
    byId('latest')?.replaceChildren(...pageList(done.items));
    byId('unfetched')?.replaceChildren(...reasonList([...failed.items, ...skipped.items]));
  }

  async function follow(id) {
    followed = id;
    following.abort();
    following = new AbortController();
    const { signal } = following;
    let crawl = await call('GET', `/crawl/${id}`);
    show(crawl);
    await showDetails(id);
    const tell = (next) => {
      crawl = next;
      update(crawl);
      if (performance.now() - lastDetails >= DETAILS_EVERY_MS) showDetails(id).catch(() => undefined);
    };
    const over = watch(`/crawl/${id}/stream`, signal, ({ event, data }) => {
      if (event === 'crawl.snapshot') tell(JSON.parse(data));
      else if (TELLING.includes(event)) tell(withCounters(crawl, JSON.parse(data).data));
    });
    over.then(async () => {
      if (signal.aborted) return;
      show(await call('GET', `/crawl/${id}`));
      await showDetails(id);
      await Promise.all([list(), onChange()]);
    });
    await list();
  }

  async function list() {
    const { items } = await call('GET', '/crawls?limit=8');
    byId('crawls').replaceChildren(
      ...items.map((crawl) =>
        h(
          'li',
          {},
          h(
            'div',
            { className: 'line' },
            h('a', { href: '#', className: 'cut', onclick: (event) => choose(event, crawl.id) }, crawl.urls[0]),
            h('span', { className: 'soft' }, `${crawl.pages_crawled} pages`),
            h('span', { className: `pill ${crawl.status}` }, crawl.status),
          ),
        ),
      ),
      ...(items.length === 0 ? [h('li', { className: 'soft' }, 'None yet.')] : []),
    );
    return items;
  }

  function choose(event, id) {
    event.preventDefault();
    follow(id);
  }

  list().then((items) => {
    const current = items.find(({ status }) => !ENDED.includes(status)) ?? items[0];
    if (current !== undefined) return follow(current.id);
    byId('live').replaceChildren(...emptyView());
  });
  return { follow };
}

function liveView(crawl, refresh) {
  const step = (name) =>
    h(
      'button',
      {
        onclick: async () => {
          await call('POST', `/crawl/${crawl.id}/${name}`).catch((error) => alert(error.message));
          await refresh();
        },
      },
      name[0].toUpperCase() + name.slice(1),
    );
  const steps = { running: ['pause', 'cancel'], pending: ['cancel'], paused: ['resume', 'cancel'] }[crawl.status] ?? [
    'restart',
  ];
  const view = [
    h(
      'header',
      {},
      h('h2', { className: 'cut' }, crawl.urls[0]),
      h('span', { id: 'live-status', className: `pill ${crawl.status}` }, crawl.status),
      ...steps.map(step),
    ),
    h('div', { className: 'bar' }, h('span', { id: 'live-bar' })),
    h('div', { id: 'live-counts', className: 'counts' }),
    h('p', { id: 'live-words', className: 'soft' }),
    h('h2', {}, 'Latest pages'),
    h('ul', { id: 'latest', className: 'list' }),
    h('h2', {}, 'Not fetched, and why'),
    h('div', { id: 'unfetched' }),
    h('div', { id: 'refused' }),
  ];
  queueMicrotask(() => update(crawl));
  return view;
}

function update(crawl) {
  if (byId('live-bar') === null) return;
  byId('live-bar').style.width = `${crawl.progress}%`;
  const status = byId('live-status');
  status.textContent = crawl.status;
  status.className = `pill ${crawl.status}`;
  const counts = {
    found: crawl.pages_discovered,
    fetched: crawl.pages_crawled,
    skipped: crawl.pages_skipped,
    failed: crawl.pages_failed,
    depth: crawl.current_depth,
  };
  byId('live-counts').replaceChildren(
    ...Object.entries(counts).map(([name, value]) => h('div', {}, h('b', {}, String(value)), h('span', {}, name))),
  );
  const started = new Date(crawl.started_at ?? crawl.created_at);
  const seconds = ((crawl.completed_at === null ? Date.now() : new Date(crawl.completed_at)) - started) / 1000;
  const rate = seconds > 0.5 ? `${(crawl.pages_crawled / seconds).toFixed(1)} pages a second` : '';
  byId('live-words').textContent = [`${crawl.progress}%`, `${Math.max(0, Math.round(seconds))} s`, rate, crawl.error]
    .filter(Boolean)
    .join(' · ');
}

function showRefused(refused) {
  byId('refused')?.replaceChildren(
    ...Object.entries(refused).map(([code, { count, samples }]) => reason(code, count, samples)),
  );
}

/** A crawl after an event that says where it stands. */
function withCounters(crawl, { from: _, batch: __, ...counters }) {
  const next = { ...crawl, ...counters };
  const done = next.pages_crawled + next.pages_failed + next.pages_skipped + next.pages_cancelled;
  return { ...next, progress: Math.min(100, Math.round((done / Math.max(1, next.pages_discovered)) * 1000) / 10) };
}

/** The address as far as it tells pages of one crawl apart. */
const short = ({ url, domain }) => {
  const { host, pathname, search } = new URL(url);
  return `${host === domain ? '' : host}${pathname}${search}`;
};

const pageList = (tasks) =>
  tasks.length === 0
    ? [h('li', { className: 'soft' }, 'Pages show up here as they come in.')]
    : tasks.map((task) =>
        h(
          'li',
          { className: 'line' },
          h(
            'a',
            { className: 'cut', href: task.url, title: task.url, rel: 'noreferrer', target: '_blank' },
            short(task),
          ),
          h('span', { className: 'soft' }, `${task.response_ms ?? '–'} ms`),
          h('span', { className: 'soft' }, task.completed_at === null ? '' : ago(task.completed_at)),
        ),
      );

function reasonList(tasks) {
  const groups = new Map();
  for (const task of tasks) {
    const code = task.code ?? 'UNKNOWN';
    groups.set(code, [...(groups.get(code) ?? []), task.url]);
  }
  return [...groups].map(([code, urls]) => reason(code, urls.length, urls));
}

const reason = (code, count, samples) =>
  h(
    'details',
    { className: 'reason' },
    h('summary', {}, `${count} × ${say(code)} `, h('code', { className: 'soft' }, code)),
    h('ul', { className: 'list' }, ...samples.map((url) => h('li', { className: 'cut soft' }, url))),
  );

const emptyView = () => [
  h('header', {}, h('h2', {}, 'No crawl yet')),
  h(
    'div',
    { className: 'empty' },
    h('p', {}, 'Type the address of a site above: its pages are fetched politely, read, and made searchable.'),
    h('p', {}, 'Or from a terminal:'),
    h('code', {}, 'crawl4r crawl https://example.com --depth 2'),
  ),
];
