import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode } from '../../errors.ts';
import type { ExtractPoolOptions, PoolTask } from './pool.ts';
import type { ExtractOptions, RawPage, ReadPage } from './types.ts';

/** What crosses the thread boundary. */
export interface PoolRequest {
  pages: { raw: RawPage; options: ExtractOptions }[];
}
export type PoolResult = { page: ReadPage } | { error: { code: ErrorCode; message: string } };
export interface PoolReply {
  results: PoolResult[];
}

export interface PoolThread {
  /** Batches it was given and has not answered. */
  readonly load: number;
  /** It takes no other batch now. */
  readonly full: boolean;
  run(tasks: PoolTask[]): void;
  end(reason: AppError): Promise<void>;
}

export interface ThreadEvents {
  onIdle(): void;
  /** The thread is gone; these pages of its batches were not the cause. */
  onEnd(unfinished: PoolTask[]): void;
  /** This page held the thread for too long: it has to be read in a process, where it delays no other page. */
  onSlow(task: PoolTask): void;
}

/** The time to load a thread's code is not the page's. */
const START_MS = 60_000;
/** Many times what a page takes that is worth a thread which all pages share. */
const QUICK_MS = 1_000;
/** While it works on one batch the next is there already: it never waits for a busy main thread to send more. */
const MAX_LOAD = 2;

/**
 * One thread and the batches it works on, one after the other.
 *
 *   idle ──run──► busy ──reply──► idle
 *                  ├─ a slow page ──► ended: that page goes elsewhere, the others are given back
 *                  ├─ heap full, crash ──► ended: that page fails, the others are given back
 *                  └─ end() ──► ended
 *
 * The thread writes how many pages it has begun into shared memory, so it can be checked while it hangs.
 */
export function createPoolThread(settings: ExtractPoolOptions, events: ThreadEvents): PoolThread {
  const begun = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('./pool-worker.ts', import.meta.url), {
    workerData: { begun },
    resourceLimits: { maxOldGenerationSizeMb: settings.memoryMb, stackSizeMb: 4 },
    // Its own flags would be refused in a thread when the process was started with some of them.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const batches: PoolTask[][] = [];
  /** Pages that were answered for. */
  let done = 0;
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
    const rest = batches.splice(0).flat();
    const at = Atomics.load(begun, 0) - done;
    const [guilty] = at === 0 ? [] : rest.splice(at - 1, 1);
    if (guilty !== undefined) settle(guilty);
    void worker.terminate();
    events.onEnd(rest);
  };
  const fail = (code: ErrorCode, message: string): void =>
    finish((guilty) => guilty.reject(new AppError(code, message)));

  worker.on('message', ({ results }: PoolReply) => {
    if (ended) return;
    const tasks = batches.shift() ?? [];
    done += tasks.length;
    if (batches.length === 0) {
      stopWatching();
      worker.unref();
    }
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

  /** Where this thread itself was blocked, the answer may have arrived without being read yet. */
  const endIfStill = (at: number, answered: number): void => {
    setImmediate(() => {
      if (done === answered && Atomics.load(begun, 0) === at) finish(events.onSlow);
    });
  };

  const watchDeadline = (): void => {
    let at = Atomics.load(begun, 0);
    let since = performance.now();
    watch = setInterval(() => {
      const now = Atomics.load(begun, 0);
      if (now !== at) [at, since] = [now, performance.now()];
      else if (performance.now() - since > (at === done ? START_MS : QUICK_MS)) endIfStill(at, done);
    }, QUICK_MS / 4);
  };

  return {
    get load() {
      return batches.length;
    },
    get full() {
      return batches.length >= MAX_LOAD || ended;
    },
    run(tasks) {
      batches.push(tasks);
      // One copy, moved to the thread: the caller keeps its body, and a page that is given back still has one.
      const pages = tasks.map(({ raw, options }) => ({ raw: { ...raw, body: new Uint8Array(raw.body) }, options }));
      const request: PoolRequest = { pages };
      worker.ref();
      worker.postMessage(
        request,
        pages.map((page) => page.raw.body.buffer as ArrayBuffer),
      );
      if (watch === undefined) watchDeadline();
    },
    async end(reason) {
      ended = true;
      stopWatching();
      for (const task of batches.splice(0).flat()) task.reject(reason);
      await worker.terminate();
    },
  };
}
