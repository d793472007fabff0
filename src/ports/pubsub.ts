import type { Engine } from './engine.ts';

/**
 * Wakes readers in other processes; messages carry no data that must not be lost.
 *
 * Contract:
 * - A message reaches every subscriber of its channel that is there now, in all processes, the publisher's own included.
 *   Messages of one publisher arrive in order; equal ones that are published together may arrive as one.
 * - A message may be lost: a connection that drops is made again by itself, and what was sent in between is gone. So a
 *   subscriber also polls, and `publish` resolves whether or not the engine took the message.
 * - Publish after the commit of what the message is about: a subscriber that looks earlier finds nothing.
 * - Channel names are made of a-z, 0-9 and _, 40 characters at most; a message has 2,000 characters at most.
 */
export interface PubSub extends Engine, AsyncDisposable {
  publish(channel: string, messages: readonly string[]): Promise<void>;
  /** Resolves once it listens. Disposing of what it returns ends it. */
  subscribe(channel: string, onMessage: (message: string) => void): Promise<AsyncDisposable>;
}
