import type pg from 'pg';

type Listen = (payload: string) => void;

export interface Listener extends AsyncDisposable {
  listen(channel: string, onNotice: Listen): Promise<AsyncDisposable>;
}

/**
 * One connection for all channels of a process. When it breaks it is made again, with growing pauses, and listens to
 * the same channels; what was sent in between is lost, as the contract says.
 *
 *   idle ── first listen ──► connected ── breaks ──► connecting ──► connected
 *    ▲                           │
 *    └───── last one left ───────┘
 */
export function createListener(open: () => Promise<pg.Client>): Listener {
  const channels = new Map<string, Set<Listen>>();
  let client: Promise<pg.Client> | undefined;
  let closed = false;

  async function connect(): Promise<pg.Client> {
    const opened = await open();
    opened.on('notification', ({ channel, payload }) => {
      for (const notify of channels.get(channel) ?? []) notify(payload ?? '');
    });
    opened.once('end', () => {
      client = undefined;
      if (!closed && channels.size > 0) void reconnect();
    });
    for (const channel of channels.keys()) await opened.query(`LISTEN ${opened.escapeIdentifier(channel)}`);
    return opened;
  }

  async function reconnect(): Promise<void> {
    for (let pause = 100; !closed && channels.size > 0; pause = Math.min(pause * 2, 5_000)) {
      await new Promise((done) => setTimeout(done, pause).unref());
      if (
        await current().then(
          () => true,
          () => false,
        )
      )
        return;
    }
  }

  function current(): Promise<pg.Client> {
    client ??= connect().catch((error: unknown) => {
      client = undefined;
      throw error;
    });
    return client;
  }

  async function close(): Promise<void> {
    const last = client;
    client = undefined;
    const opened = await last?.catch(() => undefined);
    await opened?.end().catch(() => {});
  }

  async function remove(channel: string, onNotice: Listen): Promise<void> {
    const listeners = channels.get(channel);
    if (!listeners?.delete(onNotice) || listeners.size > 0) return;
    channels.delete(channel);
    if (channels.size === 0) return close();
    const opened = await client?.catch(() => undefined);
    await opened?.query(`UNLISTEN ${opened.escapeIdentifier(channel)}`).catch(() => {});
  }

  return {
    async listen(channel, onNotice) {
      const listeners = channels.get(channel);
      if (listeners !== undefined) listeners.add(onNotice);
      else channels.set(channel, new Set([onNotice]));
      try {
        const opened = await current();
        await opened.query(`LISTEN ${opened.escapeIdentifier(channel)}`);
      } catch (error) {
        await remove(channel, onNotice);
        throw error;
      }
      return { [Symbol.asyncDispose]: () => remove(channel, onNotice) };
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      channels.clear();
      await close();
    },
  };
}
