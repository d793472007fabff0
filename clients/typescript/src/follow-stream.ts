import { queryOf } from './call.ts';
import { CrawlerApiError, errorOf } from './error.ts';
import type { Connection, StreamEvent } from './follow.ts';
import { readChunks } from './read-body.ts';
import { open, type SendSettings } from './send.ts';
import { createEventParser } from './sse.ts';

const MAX_EVENT = 16 * 1024 * 1024;

/** The events of one connection of server-sent events. */
export async function* readEventStream(settings: SendSettings, connection: Connection): AsyncGenerator<StreamEvent> {
  const { path, query, after, signal, idleMs } = connection;
  const response = await open(
    settings,
    `${path}${queryOf(query)}`,
    { signal, headers: connection.headers },
    {
      method: 'GET',
      headers: { accept: 'text/event-stream', ...(after === undefined ? {} : { 'last-event-id': after }) },
    },
  );
  if (response.body === null || !response.headers.get('content-type')?.startsWith('text/event-stream'))
    throw errorOf(response, '');
  const parser = createEventParser(MAX_EVENT);
  const decoder = new TextDecoder();
  for await (const chunk of readChunks(response.body, idleMs, signal)) {
    const events = parser.push(decoder.decode(chunk, { stream: true }));
    const retryMs = parser.retryMs();
    if (retryMs !== undefined) connection.onRetry(retryMs);
    for (const { event, data, id } of events) {
      const value = readData(data);
      if (event === 'end') return checkEnd(value);
      yield { event, id: id === '' ? undefined : id, data: value };
    }
  }
  throw new CrawlerApiError('the stream ended before its end', { status: 0, code: 'CONNECTION_FAILED' });
}

function readData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CrawlerApiError('the stream has an event that is not JSON', { status: 0, code: 'ANSWER_INVALID', cause });
  }
}

/** The last event says whether there is nothing more, or whether the caller may no longer listen. */
export function checkEnd(data: unknown): void {
  const code = typeof data === 'object' && data !== null ? (data as { code?: unknown }).code : undefined;
  if (typeof code === 'string')
    throw new CrawlerApiError('the server ended the stream: the key or the login no longer allows it', {
      status: 401,
      code,
    });
}
