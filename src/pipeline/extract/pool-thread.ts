import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode } from '../../errors.ts';
import type { ExtractPoolOptions, PoolTask } from './pool.ts';
import type { ExtractedPage, ExtractOptions, RawPage } from './types.ts';

/** What crosses the thread boundary. */
export interface PoolRequest {
  pages: { raw: RawPage; options: ExtractOptions }[];
}
export type PoolResult = { page: ExtractedPage } | { error: { code: ErrorCode; message: string } };
export interface PoolReply {
  results: PoolResult[];
}

export interface PoolThread {
  readonly busy: boolean;
  run(tasks: PoolTask[]): void;
  end(reason: AppError): Promise<void>;
}

export interface ThreadEvents {
  onIdle(): void;
  /** The thread is gone; these pages of its batch were not the cause. */
  onEnd(unfinished: PoolTask[]): void;
  /** This page held the thread for too long: it is to be read where it holds up nobody. */
  onSlow(task: PoolTask): void;
}

/** Where a thread is before it has taken up its batch; the time to load its code is not the page's. */
const NOT_BEGUN = -1;
const START_MS = 60_000;
/** Many times what a page takes that is worth a thread which all pages share. */
const QUICK_MS = 1_000;

/**
 * One thread and the batch it works on.
 *
 *   idle ──run──► busy ──reply──► idle
 *                  ├─ a slow page ──► ended: that page goes elsewhere, the others are given back
 *                  ├─ heap full, crash ──► ended: that page fails, the others are given back
 *                  └─ end() ──► ended
 *
 * The thread writes the index of the page it is at into shared memory, so it can be asked while it hangs.
 */
export function createPoolThread(settings: ExtractPoolOptions, events: ThreadEvents): PoolThread {
  const position = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('./pool-worker.ts', import.meta.url), {
    workerData: { position },
    resourceLimits: { maxOldGenerationSizeMb: settings.memoryMb, stackSizeMb: 4 },
    // Its own flags would be refused in a thread when the process was started with some of them.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  let batch: PoolTask[] = [];
  let ended = false;
  let watch: NodeJS.Timeout | undefined;

  const stopWatching = (): void => {
    clearInterval(watch);
    watch = undefined;
  };

  /** Of the pages besides the one it is at, those before had results that are lost, those after were not begun. */
  const finish = (settle: (guilty: PoolTask) => void): void => {
    if (ended) return;
    ended = true;
    stopWatching();
    const at = Atomics.load(position, 0);
    const [guilty] = at === NOT_BEGUN ? [] : batch.splice(at, 1);
    if (guilty !== undefined) settle(guilty);
    const rest = batch.splice(0);
    void worker.terminate();
    events.onEnd(rest);
  };
  const fail = (code: ErrorCode, message: string): void =>
    finish((guilty) => guilty.reject(new AppError(code, message)));

  worker.on('message', ({ results }: PoolReply) => {
    if (ended) return;
    stopWatching();
    worker.unref();
    const tasks = batch.splice(0);
    for (const [index, task] of tasks.entries()) {
      const result = results[index];
      if (result === undefined) task.reject(new AppError('PARSE_FAILED', 'the thread gave no answer'));
      else if ('page' in result) task.resolve(result.page);
      else task.reject(new AppError(result.error.code, result.error.message));
    }
    events.onIdle();
  });
  worker.on('error', (error: Error & { code?: string }) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
      fail('PARSE_MEMORY', `the page needs more than ${settings.memoryMb} MB`);
    else fail('PARSE_FAILED', error.message);
  });
  worker.on('exit', () => fail('PARSE_FAILED', 'the thread ended'));
  worker.unref();

  const watchDeadline = (): void => {
    let at = NOT_BEGUN;
    let since = performance.now();
    watch = setInterval(() => {
      const now = Atomics.load(position, 0);
      if (now !== at) [at, since] = [now, performance.now()];
      else if (performance.now() - since > (at === NOT_BEGUN ? START_MS : QUICK_MS)) finish(events.onSlow);
    }, QUICK_MS / 4);
  };

  return {
    get busy() {
      return batch.length > 0 || ended;
    },
    run(tasks) {
      batch = tasks;
      Atomics.store(position, 0, NOT_BEGUN);
      // One copy, moved to the thread: the caller keeps its body, and a page that is given back still has one.
      const pages = tasks.map(({ raw, options }) => ({ raw: { ...raw, body: new Uint8Array(raw.body) }, options }));
      const request: PoolRequest = { pages };
      worker.ref();
      worker.postMessage(
        request,
        pages.map((page) => page.raw.body.buffer as ArrayBuffer),
      );
      watchDeadline();
    },
    async end(reason) {
      ended = true;
      stopWatching();
      for (const task of batch.splice(0)) task.reject(reason);
      await worker.terminate();
    },
  };
}
