import { call } from './api.js';
import { ago, byId, h } from './dom.js';

/** The search box, with highlighted passages and where they come from. */

export function startSearch() {
  const form = byId('search-form');
  byId('results').replaceChildren(emptyView());
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    await search(new FormData(form).get('query'));
  });
}

async function search(query) {
  const meta = byId('search-meta');
  meta.textContent = 'Searching…';
  try {
    const answer = await call('POST', '/search', { query, limit: 10 });
    const count = answer.results.length;
    meta.textContent = `${count} ${count === 1 ? 'passage' : 'passages'} · ${answer.mode} · ${Math.round(answer.latency_ms)} ms`;
    byId('results').replaceChildren(
      ...(answer.degraded
        ? [h('p', { className: 'notice' }, `Part of the search engine does not answer: ${answer.degraded_reason}.`)]
        : []),
      ...answer.results.map(hitView),
      ...(count === 0 ? [nothingView(query)] : []),
    );
  } catch (error) {
    meta.textContent = '';
    byId('results').replaceChildren(h('p', { className: 'notice bad' }, error.message));
  }
}

/** Marks of Markdown that help a program and not a reader: headings, fences, rules of tables, targets of links. */
const SYNTAX = [/^#{1,6}\s+/gm, /^```\w*\s*$/gm, /^[|\s:-]+$/gm, /\]\([^)\s]*\)/g, /\[(?=[^\]]*\]\()/g, /\*\*|`/g];

/** The passage with its matches marked; long ones are cut around the first match. */
function passage(content, ranges) {
  const shown = new Array(content.length).fill(true);
  for (const pattern of SYNTAX)
    for (const match of content.matchAll(pattern)) shown.fill(false, match.index, match.index + match[0].length);
  const text = (start, end) =>
    content
      .slice(start, end)
      .split('')
      .filter((_, at) => shown[start + at])
      .join('');
  const first = ranges[0]?.[0] ?? 0;
  const from = first > 160 ? content.lastIndexOf(' ', first - 80) + 1 : 0;
  const to = Math.min(content.length, from + 420);
  const parts = [from > 0 ? '… ' : ''];
  let at = from;
  for (const [start, end] of ranges) {
    if (start < at || end > to || !shown[start]) continue;
    parts.push(text(at, start), h('mark', {}, text(start, end)));
    at = end;
  }
  parts.push(text(at, to), to < content.length ? ' …' : '');
  return h('p', {}, ...parts);
}

function hitView(hit) {
  const where = [hit.heading_path.join(' › '), `read ${ago(hit.fetched_at)}`];
  return h(
    'article',
    { className: 'hit' },
    h('h3', {}, h('a', { href: hit.citation, rel: 'noreferrer', target: '_blank' }, hit.title || hit.url)),
    h('span', { className: 'where cut' }, hit.url),
    passage(hit.content, hit.highlights),
    h('span', { className: 'where' }, where.filter(Boolean).join(' · ')),
  );
}

const emptyView = () =>
  h(
    'div',
    { className: 'empty' },
    h('p', {}, 'Words and meaning are searched together. Quotes keep words together, a minus leaves one out.'),
    h('code', {}, 'how to "rotate keys" -windows'),
  );

const nothingView = (query) =>
  h(
    'div',
    { className: 'empty' },
    h('p', {}, `Nothing matches “${query}”.`),
    h('p', {}, 'Pages become searchable a moment after they are fetched; try fewer or other words.'),
  );
