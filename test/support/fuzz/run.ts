import { once } from 'node:events';
import { Agent, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import type { ErrorCode } from '../../../src/errors.ts';
import { createApiKey } from '../../../src/operations/access/create-api-key.ts';
import { VISITS_SITE } from '../../../src/surfaces/http/declared.ts';
import { ROUTES } from '../../../src/surfaces/http/routes/index.ts';
import { type ApiDocument, type Operation, readApiDocument } from '../api-document.ts';
import { skipExample } from '../examples.ts';
import type { World } from '../world.ts';
import { createKnowledge, type PathParameters } from './knowledge.ts';
import { type Draft, drafts, writeJson, writeText } from './requests.ts';
import type { Hole } from './values.ts';

/** Sends requests made from the API document to a server of our own, and checks every answer against the document. */

interface Finding {
  operation: string;
  problem: string;
  request: string;
  answer: string;
  times: number;
}

export interface FuzzReport {
  seed: number;
  requests: number;
  seconds: number;
  operations: number;
  /** Operations that answered well at least once. */
  reached: number;
  unreached: string[];
  statuses: Record<string, number>;
  /** Answers above 499 that say what a site did, of routes that fetch while the caller waits. */
  site_failures: number;
  findings: Finding[];
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

const AT_ONCE = 4;
const PER_ROUND = 8;
const WAIT_MS = 45_000;
/** What a request may wait for a site. */
const SITE_MS = 1_500;
/** Sockets are not requests; their plain HTTP side is. */
const VISITING = ROUTES.filter(({ errors }) => errors?.includes('CONNECT_FAILED')).map(({ id }) => id);

export async function fuzzApi(
  world: World,
  { requests, seed }: { requests: number; seed: number },
): Promise<FuzzReport> {
  const document = readApiDocument(ROUTES);
  const call = await openClient(world);
  const keys = await callersOf(world);
  const means = { schemas: document.schemas, origin: world.site.origin };
  const plans = new Map(document.operations.map((operation) => [operation, drafts(operation, means)] as const));
  // The fuzzer must not revoke the keys it works with.
  const { items } = await world.ok('GET', '/api-keys?limit=200');
  const knowledge = createKnowledge(items.map(({ id }: { id: string }) => id));
  const report = createReport(document, seed);
  const start = performance.now();

  const check = async (operation: Operation, path: PathParameters, sent: Sent): Promise<void> => {
    report.count++;
    const answer = await call(sent).catch((error: unknown) => String(error));
    if (typeof answer === 'string') return report.find(operation, answer, sent, '');
    const body = readBody(answer);
    report.answered(operation, answer.status);
    for (const problem of problemsOf(document, operation, answer, body))
      report.find(operation, problem, sent, `${causeOf(world, answer)}${answer.text}`);
    if (isSiteFailure(operation, answer.status, body)) report.siteFailures++;
    if (answer.status < 300) knowledge.absorb(operation, path, answer.status, etagOf(answer), body);
  };
  /** One of each thing, so that there are ids that hold; what was made before may be deleted by now. */
  const refresh = async (everything: boolean) => {
    await world.ok('POST', `/domains/127.0.0.1:${world.site.port}/reset`);
    for (const entry of ROUTES) {
      if (skipExample(entry) !== undefined || !(everything || entry.status !== undefined)) continue;
      const operation = document.operations.find(({ operationId }) => operationId === entry.id)!;
      const { url, method, body } = await world.fill(entry);
      const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      await check(
        operation,
        {},
        { method, url, headers: headersFor(keys.admin, 'application/json', text), body: text },
      );
    }
  };

  for (let round = 0; report.count < requests; round++) {
    await refresh(round === 0);
    const perRound = Math.max(1, Math.min(PER_ROUND, Math.ceil((requests - report.count) / plans.size)));
    const queue = [...plans].flatMap(([operation, plan], at) =>
      fc.sample(plan, { seed: seed + round * 1_000 + at, numRuns: perRound }).map((draft) => ({ operation, draft })),
    );
    const order = fc.sample(fc.shuffledSubarray(queue, { minLength: queue.length }), {
      seed: seed + round,
      numRuns: 1,
    })[0]!;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let next = order.pop(); next !== undefined && report.count < requests; next = order.pop()) {
          const { path, sent } = write(next.operation, next.draft, knowledge, keys);
          await check(next.operation, path, sent);
        }
      }),
    );
  }
  return report.finish((performance.now() - start) / 1_000);
}

interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}
type Callers = Record<Draft['caller'], string | undefined>;

function write(
  operation: Operation,
  draft: Draft,
  knowledge: ReturnType<typeof createKnowledge>,
  keys: Callers,
): { path: PathParameters; sent: Sent } {
  const fill = (hole: Hole) => knowledge.valueFor(hole.name, operation, hole.pick);
  const linked = draft.linked === undefined ? undefined : knowledge.pathFor(operation.operationId, draft.linked);
  const path: PathParameters = {};
  const url = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = linked?.[name] === undefined ? writeText(draft.path[name], fill) : encodeURIComponent(linked[name]);
    path[name] = linked?.[name] ?? text;
    // An empty part would be another route.
    return text === '' || text === '.' || text === '..' ? '%20' : text;
  });
  const query = draft.query.map(
    ([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${writeText(value, fill)}`,
  );
  const given = draft.body === undefined ? undefined : Buffer.from(writeJson(shorten(draft.body), fill));
  const body = draft.bytes ?? (operation.method === 'GET' ? undefined : given);
  const headers = headersFor(keys[draft.caller], draft.contentType, body);
  for (const [name, value] of Object.entries(draft.headers))
    headers[name] = typeof value === 'string' ? value : fill(value);
  const search = query.length === 0 ? '' : `?${query.join('&')}`.slice(0, 8_000).replace(/%[\da-zA-Z]?$/, '');
  return { path, sent: { method: operation.method, url: `${url.slice(0, 6_000)}${search}`, headers, body } };
}

/** No request waits long for a site. */
function shorten(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('timeout_ms' in body)) return body;
  return typeof body.timeout_ms === 'number' ? { ...body, timeout_ms: Math.min(body.timeout_ms, SITE_MS) } : body;
}

function headersFor(
  key: string | undefined,
  type: string | undefined,
  body: Buffer | undefined,
): Record<string, string> {
  return {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined || type === undefined ? {} : { 'content-type': type }),
    ...(body === undefined ? {} : { 'content-length': String(body.length) }),
  };
}

async function callersOf(world: World): Promise<Callers> {
  const reader = await createApiKey(world.app, { name: 'reader', scopes: ['read'], rate_limit_rpm: 10_000_000 });
  return { admin: world.key, read: reader.key, nobody: undefined, wrong: 'c4r_wrong' };
}

/** Over real connections, so that nothing tidies up a request on its way. */
async function openClient({ server }: World): Promise<(sent: Sent) => Promise<Answer>> {
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE * 2 });
  return async ({ method, url, headers, body }) => {
    const request = sendRequest({ host: '127.0.0.1', port, method, path: url, headers, agent, timeout: WAIT_MS });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${WAIT_MS} ms`)));
    request.end(body);
    const [response] = await once(request, 'response');
    const { statusCode: status, headers: answered } = response;
    if (String(answered['content-type']).startsWith('text/event-stream')) {
      response.destroy();
      return { status, headers: answered, text: '' };
    }
    response.setEncoding('utf8');
    return { status, headers: answered, text: (await response.toArray()).join('') };
  };
}

/** What the log says about a failure of the server. */
const causeOf = ({ logged }: World, { status, headers }: Answer): string => {
  if (status < 500) return '';
  const entry = logged.find(
    ({ event, fields }) => event === 'request_failed' && fields.request_id === headers['x-request-id'],
  );
  const error = entry?.fields.error;
  return error instanceof Error ? `${error.stack?.split('\n').slice(0, 4).join(' ')}\n  ` : '';
};

const etagOf = ({ headers }: Answer) => (typeof headers.etag === 'string' ? headers.etag : undefined);
const readBody = ({ text, headers }: Answer): unknown => {
  if (text === '') return undefined;
  return /^application\/json\b/.test(String(headers['content-type'])) ? JSON.parse(text) : text;
};

function isSiteFailure({ operationId }: Operation, status: number, body: unknown): boolean {
  const { code } = (body ?? {}) as { code?: ErrorCode };
  return status >= 500 && VISITING.includes(operationId) && code !== undefined && VISITS_SITE.includes(code);
}

function* problemsOf(document: ApiDocument, operation: Operation, answer: Answer, body: unknown): Generator<string> {
  const { status, headers } = answer;
  if (status >= 500 && !isSiteFailure(operation, status, body)) yield `answers ${status}`;
  const problem = document.check(operation, status, String(headers['content-type']), body);
  if (problem !== undefined) yield problem;
  if (typeof headers['x-request-id'] !== 'string') yield 'has no x-request-id';
  if (status >= 400 && (body as { request_id?: string })?.request_id !== headers['x-request-id'])
    yield 'has no request_id of its own';
}

function createReport(document: ApiDocument, seed: number) {
  const findings = new Map<string, Finding>();
  const statuses: Record<string, number> = {};
  const reached = new Set<string>();
  return {
    count: 0,
    siteFailures: 0,
    answered(operation: Operation, status: number) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status < 400) reached.add(operation.operationId);
    },
    find(operation: Operation, problem: string, { method, url, body, headers }: Sent, answer: string) {
      const key = `${operation.operationId} ${problem}`;
      const known = findings.get(key);
      if (known !== undefined) return void known.times++;
      const type = headers['content-type'] === undefined ? '' : ` (${headers['content-type']})`;
      const request = `${method} ${url.slice(0, 300)}${type} ${body?.toString('utf8').slice(0, 500) ?? ''}`;
      findings.set(key, { operation: operation.operationId, problem, request, answer: answer.slice(0, 900), times: 1 });
    },
    finish(seconds: number): FuzzReport {
      const ids = document.operations.map(({ operationId }) => operationId);
      return {
        seed,
        requests: this.count,
        seconds: Math.round(seconds * 10) / 10,
        operations: ids.length,
        reached: reached.size,
        unreached: ids.filter((id) => !reached.has(id)),
        statuses,
        site_failures: this.siteFailures,
        findings: [...findings.values()],
      };
    },
  };
}
