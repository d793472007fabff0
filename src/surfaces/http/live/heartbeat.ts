import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { toAppError } from '../../../errors.ts';
import { type Access, mayAccess } from '../../../operations/access/caller.ts';
import { identifyCaller } from '../../../operations/access/identify-caller.ts';
import { readCredentials } from '../authorise.ts';
import type { Connection } from './connection.ts';

export interface Listener {
  request: FastifyRequest;
  connection: Connection;
  /** What the caller was allowed, and has to be still. */
  access: Access;
  /** What a bound caller has to be bound to; null: it may not listen. */
  collectionId: string | null;
  revoke(): void;
}

export interface Heartbeat extends Disposable {
  add(listener: Listener): void;
  remove(listener: Listener): void;
}

/**
 * One timer for all connections of a process: each gets a heartbeat, and its caller is checked again, so that a key that was
 * revoked or a login that ended ends its streams. Callers with the same credentials are looked up once a beat.
 */
export function createHeartbeat(app: App, everyMs: number, trusted: boolean): Heartbeat {
  const listeners = new Set<Listener>();
  let busy = false;

  async function beat(): Promise<void> {
    if (busy) return;
    busy = true;
    try {
      await beatAll();
    } finally {
      busy = false;
    }
  }

  async function beatAll(): Promise<void> {
    const allowed = new Map<string, boolean>();
    for (const listener of [...listeners]) {
      listener.connection.beat();
      if (trusted) continue;
      const { authorization, cookie, 'x-session-key': half } = listener.request.headers;
      const key = JSON.stringify([authorization, cookie, half, listener.access, listener.collectionId]);
      const may = allowed.get(key) ?? (await stillMay(app, listener));
      allowed.set(key, may);
      if (!may) listener.revoke();
    }
  }

  const timer = setInterval(() => void beat(), everyMs);
  timer.unref();
  return {
    add: (listener) => void listeners.add(listener),
    remove: (listener) => void listeners.delete(listener),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Only a clear refusal ends a stream; an error of the database does not. */
async function stillMay(app: App, { request, access, collectionId }: Listener): Promise<boolean> {
  try {
    const caller = await identifyCaller(app, readCredentials(request));
    const isWithin = caller.collections?.includes(collectionId ?? '') ?? true;
    return mayAccess(caller, access) && isWithin;
  } catch (error) {
    return toAppError(error).code !== 'AUTH_REQUIRED';
  }
}
