import type { Message } from '../../../operations/events/feed.ts';

/** Why a connection is closed by us. */
export type CloseReason = 'end' | 'closing' | 'revoked' | 'failed';

/** A client that listens, whatever it listens by. */
export interface Connection {
  send(message: Message): void;
  /** Keeps the connection from falling asleep. */
  beat(): void;
  /** Bytes that are written and not yet taken by the client. */
  buffered(): number;
  /** Resolves when the client has taken what was written, or after `ms`. */
  drained(ms: number): Promise<void>;
  close(reason: CloseReason): void;
  /** At once, without a word: the client does not read. */
  drop(): void;
}
