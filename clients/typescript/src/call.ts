/** What is sent with one request, and how it is treated. */
export interface CallOptions {
  /** Ends the request, and every wait before and after it. */
  signal?: AbortSignal | undefined;
  /** Longest time for one try, and for silence while an answer is read. */
  timeoutMs?: number | undefined;
  /** How often it is tried again. */
  retries?: number | undefined;
  /** For operations that make something: the same key and body get the same answer. Absent: a new one for each call. */
  idempotencyKey?: string | undefined;
  headers?: Record<string, string> | undefined;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A body that is sent as it is. A stream can be sent once only: such a request is not tried again. */
export type RawBody = FormData | Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

export interface Parts {
  /** Lists are joined by commas; what is undefined or null is left out. */
  query?: object | undefined;
  /** JSON, unless it is a RawBody. */
  body?: unknown;
  /** Makes something new, once for each Idempotency-Key. */
  creates?: boolean;
  /** The answer itself is wanted, not what its JSON says. */
  raw?: boolean;
}

/** Sends one request of the API; the path is complete (`/api/v1/…`). */
export type Call = <Answer>(method: Method, path: string, parts: Parts, options?: CallOptions) => Promise<Answer>;

/** One page of a list. `next_cursor` is null on the last one. */
export interface ListPage<Item> {
  items: Item[];
  next_cursor: string | null;
  has_more: boolean;
  total?: number;
}

/** A value as one part of a path. What would make it another path is refused: an empty one, and steps up and down. */
export function part(value: string): string {
  if (value === '' || value === '.' || value === '..')
    throw new TypeError(`"${value}" cannot be part of an address; give an id or a name`);
  return encodeURIComponent(value);
}

/** `?name=value&…`, or nothing. */
export function queryOf(query: object | undefined): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue;
    pairs.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  const text = String(pairs);
  return text === '' ? '' : `?${text}`;
}
