import { AppError } from '../../errors.ts';

export interface Deadline {
  /** Rejects with the first reason to stop: time is up, the caller aborted, or the error given to `fail`. */
  readonly failed: Promise<never>;
  readonly failure: Error | undefined;
  fail(error: Error): void;
  /** Runs work that the clock does not count. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  end(): void;
}

export function createDeadline(url: string, timeoutMs: number, signal: AbortSignal | undefined): Deadline {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  let failure: Error | undefined;
  let left = timeoutMs;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  const fail = (error: Error) => {
    failure ??= error;
    reject(failure);
  };
  const start = () => {
    since = performance.now();
    timer = setTimeout(() => fail(new AppError('TIMEOUT', `${url} took longer than ${timeoutMs} ms`)), left);
  };
  const onAbort = () => {
    const reason: unknown = signal?.reason;
    fail(reason instanceof AppError ? reason : new AppError('CANCELLED', 'the fetch was called off'));
  };

  start();
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort);
  return {
    failed: promise,
    get failure() {
      return failure;
    },
    fail,
    async hold(work) {
      clearTimeout(timer);
      left = Math.max(0, left - (performance.now() - since));
      try {
        return await work();
      } finally {
        if (!ended) start();
      }
    },
    end() {
      ended = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
