import type { Link, Operation } from '../api-document.ts';

const MOST = 40;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export type PathParameters = Record<string, string>;

/** What earlier answers told: which requests they lead to, and ids by the names of their fields. Never an id of `hidden`. */
export function createKnowledge(hidden: readonly string[]) {
  const linked = new Map<string, PathParameters[]>();
  const values = new Map<string, string[]>();

  /** The oldest makes room: what it named may be gone by now. */
  const add = <Value>(pools: Map<string, Value[]>, name: string, value: Value) => {
    const pool = pools.get(name) ?? [];
    if (pool.length >= MOST) pool.shift();
    pool.push(value);
    pools.set(name, pool);
  };
  const pick = <Value>(pool: readonly Value[] | undefined, at: number) => pool?.[at % Math.max(1, pool.length)];

  return {
    absorb(operation: Operation, path: PathParameters, status: number, etag: string | undefined, body: unknown): void {
      if (etag !== undefined) add(values, `etag ${operation.operationId}`, etag);
      for (const { operationId, parameters } of Object.values(operation.responses[status]?.links ?? {}) as Link[]) {
        const found = Object.entries(parameters).map(([name, at]) => [name, evaluate(at, path, body)] as const);
        if (found.every(([, value]) => typeof value === 'string' && !hidden.includes(value)))
          add(linked, operationId, Object.fromEntries(found) as PathParameters);
      }
      const cursor = (body as { next_cursor?: unknown } | null)?.next_cursor;
      if (typeof cursor === 'string') add(values, `cursor ${operation.operationId}`, cursor);
      scan(body, `${singular(operation.path)}_id`, (name, id) => {
        if (!hidden.includes(id)) add(values, name, id);
      });
    },
    pathFor: (operationId: string, at: number) => pick(linked.get(operationId), at),
    /** A value for a field: `crawl_id` and `crawl_ids` are ids of crawls. */
    valueFor(name: string, operation: Operation, at: number): string {
      const own = name === 'id' || name === 'ids' ? `${singular(operation.path)}_id` : name.replace(/s$/, '');
      const pool =
        name === 'cursor' || name === 'etag' ? values.get(`${name} ${operation.operationId}`) : values.get(own);
      return pick(pool, at) ?? `01920000-0000-7000-8000-${String(at).padStart(12, '0')}`;
    },
  };
}
export type Knowledge = ReturnType<typeof createKnowledge>;

/** The thing a path is about: its last folder, without the plural. */
const singular = (path: string) =>
  path
    .split('/')
    .filter((part) => part !== '' && !part.startsWith('{'))
    .at(-1)!
    .replace(/s$/, '');

/** A runtime expression of OpenAPI. */
function evaluate(expression: string, path: PathParameters, body: unknown): unknown {
  const ofPath = /^\$request\.path\.(\w+)$/.exec(expression)?.[1];
  if (ofPath !== undefined) return path[ofPath];
  const pointer = expression.replace('$response.body#/', '').split('/');
  return pointer.reduce<unknown>((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], body);
}

function scan(value: unknown, ownId: string, found: (name: string, id: string) => void, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > 4) return;
  for (const [name, inner] of Object.entries(value).slice(0, 50)) {
    if (typeof inner === 'string' && UUID.test(inner)) found(name === 'id' ? ownId : name, inner);
    else scan(inner, ownId, found, depth + 1);
  }
}
