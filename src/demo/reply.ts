/** What the site answers to one request. */
export interface Reply {
  status: number;
  type: string;
  body: string | Buffer;
  headers?: Record<string, string>;
}

export interface Visit {
  path: string;
  origin: string;
  day: number;
  /** How often this path was requested before. */
  hits: number;
}

export type Route = (visit: Visit) => Reply;

export const html = (body: string | Buffer, headers?: Record<string, string>, status = 200): Reply => ({
  status,
  type: 'text/html; charset=utf-8',
  body,
  ...(headers && { headers }),
});

export const xml = (body: string | Buffer, type = 'application/xml; charset=utf-8'): Reply => ({
  status: 200,
  type,
  body,
});
