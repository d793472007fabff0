import { setMaxListeners } from 'node:events';
import { AppError } from '../../errors.ts';
import type { FetchRequest } from '../../ports/fetcher.ts';
import { Exchange, type ExchangeOptions, type ExchangeResult } from './exchange.ts';
import { mapNetworkError } from './map-error.ts';

/** One fetch from first to last hop: its deadline and its signal end whatever exchange is under way. */
export class Run {
  readonly #url: string;
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout;
  #leftMs: number;
  #startedAt = performance.now();
  #runningSince = this.#startedAt;
  readonly #signal: AbortSignal | undefined;
  #exchange: Exchange | undefined;
  #failure: AppError | undefined;
  #rejectAside: ((error: AppError) => void) | undefined;
  #ended = false;

  constructor(request: FetchRequest, timeoutMs: number) {
    this.#url = request.url;
    this.#timeoutMs = this.#leftMs = timeoutMs;
    this.#timer = setTimeout(this.#onDeadline, timeoutMs);
    this.#signal = request.signal;
    if (this.#signal?.aborted) this.#onAbort();
    else if (this.#signal !== undefined) {
      // One signal often ends a whole worker: hundreds of fetches listening to it are no leak.
      setMaxListeners(0, this.#signal);
      this.#signal.addEventListener('abort', this.#onAbort);
    }
  }

  async exchange(options: ExchangeOptions): Promise<ExchangeResult> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#exchange = new Exchange(options);
    try {
      return await this.#exchange.result;
    } catch (error) {
      throw mapNetworkError(error, options.origin + options.path);
    }
  }

  /** Waits for something that is not the site's doing, such as a turn in another domain's row: the clock stands. */
  async aside<T>(work: Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    this.#leftMs -= performance.now() - this.#runningSince;
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    this.#rejectAside = reject;
    const left = performance.now();
    const result = await Promise.race([work, stopped]);
    this.#rejectAside = undefined;
    if (this.#ended) return result;
    this.#runningSince = performance.now();
    this.#startedAt += this.#runningSince - left;
    this.#timer = setTimeout(this.#onDeadline, this.#leftMs);
    return result;
  }

  /** Milliseconds from the start to a time of performance.now(), without what was spent aside. */
  elapsed(at: number): number {
    return at - this.#startedAt;
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  readonly #onDeadline = () =>
    this.#stop(new AppError('TIMEOUT', `${this.#url} took longer than ${this.#timeoutMs} ms`));

  readonly #onAbort = () => {
    const reason: unknown = this.#signal?.reason;
    this.#stop(reason instanceof AppError ? reason : new AppError('CANCELLED', 'the fetch was called off'));
  };

  #stop(error: AppError): void {
    this.#failure = error;
    this.#exchange?.abort(error);
    this.#rejectAside?.(error);
  }
}
