import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const PATIENCE_MS = 20_000;

/** A connection without an HTTP client: what is sent, and when, is up to the test. */
export interface RawClient {
  socket: Socket;
  /** All that came back so far. */
  received(): string;
  /** Resolves when the other side has closed the connection; fails after a while. */
  closed: Promise<void>;
}

export async function openRaw(port: number, localAddress?: string): Promise<RawClient> {
  const socket = connect({ host: '127.0.0.1', port, ...(localAddress === undefined ? {} : { localAddress }) });
  let text = '';
  socket.on('data', (bytes) => (text += bytes.toString('latin1')));
  // A reset is a way to be closed.
  socket.on('error', () => socket.destroy());
  const closed = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`it was not closed; received: ${text.slice(0, 200)}`)),
      PATIENCE_MS,
    );
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  closed.catch(() => {});
  await once(socket, 'connect');
  return { socket, received: () => text, closed };
}

/** The status and body of the only answer that came. */
export function readAnswer(text: string): { status: number; head: string; code: string | undefined } {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 0);
  return { status, head, code: /"code":"(\w+)"/.exec(body)?.[1] };
}
