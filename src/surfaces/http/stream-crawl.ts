import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CrawlFeed } from './crawl-feed.ts';

const HEARTBEAT_MS = 15_000;

/**
 * Server-sent events: `progress` with the crawl whenever it changed, then `end`. The first state is read before the
 * answer begins, so that an unknown crawl is a plain 404. Comments keep connections from falling asleep.
 */
export async function streamCrawl(
  feed: CrawlFeed,
  id: string,
  request: FastifyRequest,
  reply: FastifyReply,
  closing: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, closing]);
  const seen = request.headers['last-event-id'];
  const states = feed.watch(id, signal, typeof seen === 'string' ? seen : undefined);
  let next = await states.next();

  reply.hijack();
  const { raw } = reply;
  raw.on('close', () => gone.abort());
  raw.on('error', () => gone.abort());
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Asks proxies to pass each event on at once.
    'x-accel-buffering': 'no',
  });
  const send = async (text: string) => {
    if (!raw.write(text) && !signal.aborted) await once(raw, 'drain', { signal }).catch(() => undefined);
  };
  const heartbeat = setInterval(() => void raw.write(': still here\n\n'), HEARTBEAT_MS);
  try {
    await send('retry: 2000\n\n');
    for (; next.done !== true; next = await states.next())
      await send(`id: ${next.value.id}\nevent: progress\ndata: ${JSON.stringify(next.value.crawl)}\n\n`);
    if (!signal.aborted) await send('event: end\ndata: {}\n\n');
  } catch (error) {
    if (!signal.aborted) raw.destroy(error as Error);
  } finally {
    clearInterval(heartbeat);
    raw.end();
  }
}
