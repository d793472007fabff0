import { Webhook } from 'standardwebhooks';
import { startWebServer, type WebServer } from './web-server.ts';

export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Receiver extends WebServer {
  got: Received[];
  /** How the next messages are answered; undefined: not at all. */
  answer: { status: number; headers?: Record<string, string> } | undefined;
}

/** A receiver of webhooks that keeps what it gets. */
export async function startReceiver(): Promise<Receiver> {
  const got: Received[] = [];
  const server = await startWebServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      got.push({ path: request.url!, headers, body: Buffer.concat(chunks).toString() });
      const { answer } = receiver;
      if (answer !== undefined) response.writeHead(answer.status, answer.headers).end('thanks');
    });
  });
  const receiver: Receiver = Object.assign(server, { got, answer: { status: 200 } as Receiver['answer'] });
  return receiver;
}

/** What a receiver that follows Standard Webhooks makes of a message, by the reference library; it throws when refused. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of any shape
export const openMessage = (message: Received, secret: string): any =>
  new Webhook(secret).verify(message.body, message.headers);

/** Whether it is accepted. */
export function isGenuine(message: Received, secret: string): boolean {
  try {
    openMessage(message, secret);
    return true;
  } catch {
    return false;
  }
}
