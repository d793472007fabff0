import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from '@fastify/websocket';
import type { CloseReason, Connection } from './connection.ts';

/** Of RFC 6455: normal, going away, policy violation, internal error. */
const CODES: Record<CloseReason, number> = { end: 1000, closing: 1001, revoked: 1008, failed: 1011 };
const LOOK_MS = 20;

/** `{"event", "id", "data"}` for each message, and `{"event": "end"}` before a normal close. */
export function openWebSocket(socket: WebSocket): Connection {
  return {
    send: ({ name, id, text }) =>
      socket.send(
        `{"event":${JSON.stringify(name)},${id === undefined ? '' : `"id":${JSON.stringify(id)},`}"data":${text}}`,
      ),
    beat: () => socket.ping(),
    buffered: () => socket.bufferedAmount,
    async drained(ms) {
      // The library reports how much is unsent, but has no event for when it is sent.
      for (let waited = 0; socket.bufferedAmount > 0 && waited < ms; waited += LOOK_MS) await sleep(LOOK_MS);
    },
    close(reason) {
      if (reason === 'end') socket.send('{"event":"end"}');
      socket.close(CODES[reason]);
    },
    drop: () => socket.terminate(),
  };
}
