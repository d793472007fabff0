import { AppError, toAppError } from '../../errors.ts';
import type { Fetcher } from '../../ports/fetcher.ts';

export interface JsonService {
  fetcher: Fetcher;
  timeoutMs: number;
  apiKey?: string | undefined;
  /** Waits between tries; as many tries follow the first. Tests make them short. */
  retryDelaysMs?: readonly number[] | undefined;
}

const RETRY_DELAYS_MS = [500, 1_000, 2_000];
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Posts JSON to a model service and returns the JSON it answers. Tries again after time-outs, broken connections, 429
 * and 5xx; what still fails then is ENGINE_DOWN. Any other refusal is final and names what the service said.
 */
export async function postJson(service: JsonService, url: string, body: unknown): Promise<unknown> {
  const delays = service.retryDelaysMs ?? RETRY_DELAYS_MS;
  for (let attempt = 0; ; attempt++) {
    const outcome = await tryOnce(service, url, body);
    if (outcome.ok) return outcome.value;
    const delay = delays[attempt];
    if (!outcome.retryable || delay === undefined) throw outcome.error;
    await new Promise((resolve) => setTimeout(resolve, delay * (0.75 + Math.random() / 2)));
  }
}

type Outcome = { ok: true; value: unknown } | { ok: false; retryable: boolean; error: AppError };

async function tryOnce({ fetcher, timeoutMs, apiKey }: JsonService, url: string, body: unknown): Promise<Outcome> {
  const down = (reason: string, retryable: boolean, cause?: unknown): Outcome => ({
    ok: false,
    retryable,
    error: new AppError('ENGINE_DOWN', `${new URL(url).host} ${reason}`, { cause }),
  });
  try {
    const response = await fetcher.fetch({
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
      timeoutMs,
      maxBytes: MAX_BYTES,
      maxRedirects: 0,
    });
    const text = Buffer.from(response.body).toString('utf8');
    if (response.status !== 200) {
      const retryable = response.status >= 500 || response.status === 429 || response.status === 408;
      return down(`answered ${response.status}: ${text.slice(0, 200)}`, retryable);
    }
    return { ok: true, value: JSON.parse(text) };
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return down('answered something that is not JSON', false, thrown);
    const error = toAppError(thrown);
    return down(`does not answer: ${error.message}`, error.retryable, error);
  }
}
