import type { WebSocket } from '@fastify/websocket';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { toAppError } from '../../../errors.ts';
import { createEventHub, type Seat } from '../../../operations/events/event-hub.ts';
import { FEED_PAGE, type Feed } from '../../../operations/events/feed.ts';
import type { Connection } from './connection.ts';
import { openEventStream } from './event-stream.ts';
import { createHeartbeat, type Listener } from './heartbeat.ts';
import { openWebSocket } from './web-socket.ts';

/** The live side of a server: every stream and socket, one reader of the log, one heartbeat. */
export interface Live extends AsyncDisposable {
  /** Answers with server-sent events until the feed is done, the client leaves or may no longer listen. */
  stream(request: FastifyRequest, reply: FastifyReply, feed: Feed): Promise<void>;
  /** The same over a WebSocket. */
  connect(request: FastifyRequest, socket: WebSocket, feed: Feed): Promise<void>;
}

export function createLive(app: App, options: { closing: AbortSignal; trusted: boolean }): Live {
  const { heartbeatMs, maxBufferBytes } = app.settings.live;
  const hub = createEventHub(app);
  const heartbeat = createHeartbeat(app, heartbeatMs, options.trusted);

  async function serve(request: FastifyRequest, connection: Connection, feed: Feed, gone: AbortSignal): Promise<void> {
    const dropped = new AbortController();
    const revoked = new AbortController();
    const over = AbortSignal.any([gone, dropped.signal, revoked.signal, options.closing]);
    const { access, collectionId } = feed;
    const listener: Listener = { request, connection, access, collectionId, revoke: () => revoked.abort() };
    const drop = () => {
      app.log.info('listener_dropped', { request_id: request.id, bytes: connection.buffered() });
      dropped.abort();
      connection.drop();
    };
    heartbeat.add(listener);
    try {
      using seat = await hub.join();
      for (const message of feed.opening) connection.send(message);
      while (!over.aborted) {
        await catchUp(feed, connection, seat, over, drop);
        if (over.aborted || feed.done()) break;
        await hear(feed, connection, seat, over);
        if (feed.done()) break;
      }
      if (revoked.signal.aborted) connection.close('revoked');
      else if (!over.aborted) connection.close('end');
      else if (!gone.aborted && !dropped.signal.aborted) connection.close('closing');
    } catch (error) {
      app.log.warn('stream_failed', { request_id: request.id, error: toAppError(error).message });
      connection.close('failed');
    } finally {
      heartbeat.remove(listener);
    }
  }

  /** Reads from the log at the pace of the client, up to what the hub has handed out; one that takes nothing is dropped. */
  async function catchUp(feed: Feed, connection: Connection, seat: Seat, over: AbortSignal, drop: () => void) {
    while (!over.aborted) {
      const before = seat.position();
      const events = await feed.read();
      for (const event of events) {
        for (let left = connection.buffered(); left > maxBufferBytes && !over.aborted; left = connection.buffered()) {
          await connection.drained(heartbeatMs);
          if (connection.buffered() >= left) return drop();
        }
        if (over.aborted) return;
        for (const message of feed.take([event])) connection.send(message);
      }
      // Nothing was handed out since this page was asked for: from here on, all of it is heard.
      if (events.length < FEED_PAGE && seat.position() === before) return;
    }
  }

  /** Sends what comes as it comes, until the feed is done or the client falls behind by more than it may. */
  function hear(feed: Feed, connection: Connection, seat: Seat, over: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        seat.leave();
        over.removeEventListener('abort', end);
        resolve();
      };
      over.addEventListener('abort', end);
      seat.listen(feed.crawlId, (events) => {
        for (const event of events) {
          if (connection.buffered() > maxBufferBytes) return end();
          for (const message of feed.take([event])) connection.send(message);
        }
        if (feed.done()) end();
      });
    });
  }

  return {
    async stream(request, reply, feed) {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      await serve(request, openEventStream(reply), feed, gone.signal);
    },
    async connect(request, socket, feed) {
      const gone = new AbortController();
      socket.once('close', () => gone.abort());
      await serve(request, openWebSocket(socket), feed, gone.signal);
    },
    async [Symbol.asyncDispose]() {
      heartbeat[Symbol.dispose]();
      await hub[Symbol.asyncDispose]();
    },
  };
}
