import { AppError, toAppError } from '../../errors.ts';
import type { Fetcher } from '../../ports/fetcher.ts';

export interface JsonService {
  fetcher: Fetcher;
  timeoutMs: number;
  apiKey?: string | undefined;
  /** Waits between tries; as many tries follow the first. Tests make them short. */
  retryDelaysMs?: readonly number[] | undefined;
  /** How long a service that failed a query is left alone. Tests make it short. */
  restMs?: number | undefined;
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

const PROMPT_RETRIES_MS = [100];
const REST_MS = 5_000;

/**
 * For interactive queries, which have a result without this service. So it gets `limitMs` and one more try, and after
 * a failure it is not called for a few seconds: one search in a while is slow then, not every one.
 */
export function createPromptPost(
  service: JsonService,
  limitMs: number,
): (url: string, body: unknown) => Promise<unknown> {
  const hurried: JsonService = {
    ...service,
    timeoutMs: Math.min(service.timeoutMs, limitMs),
    retryDelaysMs: service.retryDelaysMs?.slice(0, 1) ?? PROMPT_RETRIES_MS,
  };
  let resting: { until: number; error: AppError } | undefined;
  return async (url, body) => {
    if (resting !== undefined && performance.now() < resting.until) throw resting.error;
    resting = undefined;
    try {
      return await postJson(hurried, url, body);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.details?.refused !== true) resting = { until: performance.now() + (service.restMs ?? REST_MS), error };
      throw error;
    }
  };
}

type Outcome = { ok: true; value: unknown } | { ok: false; retryable: boolean; error: AppError };

async function tryOnce({ fetcher, timeoutMs, apiKey }: JsonService, url: string, body: unknown): Promise<Outcome> {
  const down = (reason: string, retryable: boolean, cause?: unknown): Outcome => ({
    ok: false,
    retryable,
    error: new AppError('ENGINE_DOWN', `${new URL(url).host} ${reason}`, { cause, details: { refused: !retryable } }),
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
