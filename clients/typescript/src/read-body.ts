import { CrawlerApiError } from './error.ts';

const silent = (idleMs: number) =>
  new CrawlerApiError(`the server was silent for ${Math.round(idleMs / 1_000)} s in the middle of its answer`, {
    status: 0,
    code: 'TIMEOUT',
  });

/**
 * The bytes of an answer as they come. Rejects when none come for `idleMs`, when the connection breaks, and with the
 * signal's reason when it aborts. Leaving the loop ends the answer.
 */
export async function* readChunks(
  body: ReadableStream<Uint8Array>,
  idleMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), idleMs, signal);
      if (done) return;
      yield value;
    }
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (error instanceof CrawlerApiError) throw error;
    throw new CrawlerApiError('the connection broke in the middle of the answer', {
      status: 0,
      code: 'CONNECTION_FAILED',
      cause: error,
    });
  } finally {
    // A body that broke cannot be cancelled, and need not be.
    reader.cancel().catch(() => undefined);
  }
}

function within<Value>(work: Promise<Value>, idleMs: number, signal: AbortSignal | undefined): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason);
    const timer = setTimeout(() => reject(silent(idleMs)), idleMs);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    });
  });
}

/** The whole answer as text, `maxBytes` at most. */
export async function readText(
  response: Response,
  limits: { idleMs: number; maxBytes: number; signal: AbortSignal | undefined },
): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  const texts: string[] = [];
  let bytes = 0;
  for await (const chunk of readChunks(response.body, limits.idleMs, limits.signal)) {
    bytes += chunk.byteLength;
    if (bytes > limits.maxBytes)
      throw new CrawlerApiError(`the answer is larger than ${limits.maxBytes} bytes`, {
        status: response.status,
        code: 'ANSWER_INVALID',
        hint: 'Ask for less at once, or raise maxAnswerBytes.',
      });
    texts.push(decoder.decode(chunk, { stream: true }));
  }
  texts.push(decoder.decode());
  return texts.join('');
}

/** The same answer, whose body ends with an error when the server goes silent or the signal aborts. */
export function guardBody(response: Response, idleMs: number, signal: AbortSignal | undefined): Response {
  if (response.body === null) return response;
  const chunks = readChunks(response.body, idleMs, signal);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await chunks.return(undefined)),
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
