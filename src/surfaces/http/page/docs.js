import { h } from './dom.js';

/** Renders the OpenAPI document this server hands out. */
const spec = await (await fetch('/api/v1/openapi.json')).json();
const operations = Object.entries(spec.paths).flatMap(([path, entry]) =>
  Object.entries(entry).map(([method, operation]) => ({ path, method, ...operation })),
);

const resolve = (schema) =>
  schema?.$ref === undefined ? schema : spec.components.schemas[schema.$ref.split('/').at(-1)];

function nameOf(schema) {
  if (schema === undefined || schema === null) return 'any';
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1);
  if (schema.anyOf !== undefined) return schema.anyOf.map(nameOf).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.type === 'array') return `${nameOf(schema.items)}[]`;
  if (schema.type === 'object' && schema.properties === undefined && schema.additionalProperties)
    return `{ [name]: ${nameOf(schema.additionalProperties)} }`;
  return schema.format ?? schema.type ?? 'any';
}

function fieldRows(schema, depth = 0) {
  const whole = resolve(schema);
  if (whole?.type === 'array') return fieldRows(whole.items, depth);
  return Object.entries(whole?.properties ?? {}).flatMap(([name, field]) => {
    const inner = resolve(field);
    const nested = depth < 2 && (inner?.properties !== undefined || resolve(inner?.items)?.properties !== undefined);
    const required = whole.required?.includes(name) === true;
    const fallback = inner?.default === undefined ? '' : ` Default: ${JSON.stringify(inner.default)}.`;
    return [
      h(
        'tr',
        {},
        h('td', {}, h('code', {}, `${'  '.repeat(depth)}${name}`)),
        h('td', { className: 'soft mono' }, nameOf(field) + (required ? '' : '?')),
        h('td', {}, `${inner?.description ?? ''}${fallback}`),
      ),
      ...(nested ? fieldRows(field, depth + 1) : []),
    ];
  });
}

const table = (title, rows) =>
  rows.length === 0
    ? null
    : h('details', { open: title !== 'Answer' }, h('summary', {}, title), h('table', { className: 'fields' }, ...rows));

const parameterRow = (parameter) =>
  h(
    'tr',
    {},
    h('td', {}, h('code', {}, parameter.name)),
    h(
      'td',
      { className: 'soft mono' },
      `${nameOf(parameter.schema)}${parameter.required ? '' : '?'} in ${parameter.in}`,
    ),
    h('td', {}, parameter.description ?? ''),
  );

function example(schema, depth = 0) {
  const whole = resolve(schema);
  if (whole === undefined || depth > 3) return null;
  if (whole.default !== undefined) return whole.default;
  if (whole.enum !== undefined) return whole.enum[0];
  if (whole.anyOf !== undefined) return example(whole.anyOf[0], depth + 1);
  if (whole.type === 'array') return [example(whole.items, depth + 1)];
  if (whole.type === 'object') {
    // Of a field with two names, its own.
    const named = (whole.allOf ?? []).flatMap(({ anyOf: [first] }) => first.required);
    const names = [...(whole.required ?? []), ...named];
    return Object.fromEntries(names.map((name) => [name, example(whole.properties[name], depth + 1)]));
  }
  if (whole.type === 'integer' || whole.type === 'number') return whole.minimum ?? 1;
  if (whole.type === 'boolean') return true;
  return whole.format === 'date-time' ? '2026-01-01T00:00:00Z' : 'text';
}

function curl({ path, method, requestBody, security }) {
  const parts = [`curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${location.origin}${path}'`];
  if (security.length > 0) parts.push(`-H 'Authorization: Bearer c4r_…'`);
  const body = requestBody?.content['application/json'];
  if (body !== undefined)
    parts.push(
      `-H 'Content-Type: application/json'`,
      `-d '${JSON.stringify(body.example ?? example(body.schema) ?? {})}'`,
    );
  return parts.join(' \\\n  ');
}

/** The codes of an operation, by status. */
const errors = ({ responses }) =>
  Object.entries(responses)
    .filter(([status, { $ref }]) => Number(status) >= 400 && $ref !== undefined)
    .map(([status, { $ref }]) => `${status} ${spec.components.responses[$ref.split('/').at(-1)].description}`)
    .join('; ');

function section(operation) {
  const [answer] = Object.entries(operation.responses);
  const [[type, content] = []] = Object.entries(answer[1].content ?? {});
  return h(
    'article',
    { className: 'card operation', id: operation.operationId },
    h(
      'div',
      { className: 'path' },
      h('span', { className: `method ${operation.method}` }, operation.method.toUpperCase()),
      h('code', {}, operation.path),
      h('span', { className: 'pill' }, operation['x-scope'] === 'public' ? 'public' : `scope ${operation['x-scope']}`),
    ),
    h('h2', {}, operation.summary),
    operation.description === undefined ? null : h('p', { className: 'soft' }, operation.description),
    table('Parameters', (operation.parameters ?? []).map(parameterRow)),
    table('Body', fieldRows(operation.requestBody?.content['application/json']?.schema)),
    table('Answer', fieldRows(content?.schema)),
    h('p', { className: 'soft' }, `Answers ${answer[0]}${type === undefined ? '' : ` with ${type}`}`),
    h('details', {}, h('summary', {}, 'Errors'), h('p', { className: 'soft mono' }, errors(operation))),
    h('pre', {}, h('code', {}, curl(operation))),
  );
}

function show(filter) {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = operations.filter(({ path, summary, method, operationId }) =>
    words.every((word) => `${method} ${path} ${summary} ${operationId}`.toLowerCase().includes(word)),
  );
  const groups = spec.tags
    .map((tag) => ({ ...tag, entries: shown.filter(({ tags }) => tags.includes(tag.name)) }))
    .filter(({ entries }) => entries.length > 0);
  document
    .getElementById('index')
    .replaceChildren(
      ...groups.flatMap(({ name, entries }) => [
        h('h3', {}, name),
        ...entries.map((entry) => h('a', { href: `#${entry.operationId}`, title: entry.path }, entry.summary)),
      ]),
    );
  document
    .getElementById('reference')
    .replaceChildren(
      h('header', { className: 'card' }, h('h1', {}, `crawl4r API ${spec.info.version}`), ...intro()),
      ...groups.flatMap(({ name, description, entries }) => [
        h('header', {}, h('h2', {}, name), h('p', { className: 'soft' }, description)),
        ...entries.map(section),
      ]),
      ...(groups.length === 0 ? [h('p', { className: 'soft' }, 'No route matches.')] : []),
    );
}

/** The description as paragraphs; the last one lists the error codes, which unfold. */
function intro() {
  const paragraphs = spec.info.description.replaceAll('`', '').split('\n\n');
  const codes = paragraphs.pop().split(', ');
  return [
    ...paragraphs.map((text) => h('p', { className: 'soft' }, text)),
    h(
      'details',
      {},
      h('summary', {}, `${codes.length} error codes`),
      h('ul', { className: 'codes mono' }, ...codes.map((code) => h('li', {}, code))),
    ),
    h('p', {}, h('a', { href: '/api/v1/openapi.json' }, 'OpenAPI 3.1 document')),
  ];
}

show('');
document.getElementById('filter').addEventListener('input', (event) => show(event.target.value));
if (location.hash !== '') document.getElementById(location.hash.slice(1))?.scrollIntoView();
