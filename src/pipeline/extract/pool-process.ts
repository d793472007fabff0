import { type ChildProcess, fork } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { AppError } from '../../errors.ts';
import type { ExtractPoolOptions, PoolTask } from './pool.ts';
import type { PoolResult, PoolThread, ThreadEvents } from './pool-thread.ts';
import { watchResidentMemory } from './resident-memory.ts';
import type { ExtractOptions, RawPage } from './types.ts';

/** What crosses the process boundary. */
export interface ChildRequest {
  raw: RawPage;
  options: ExtractOptions;
}
export type ChildMessage = { begun: true } | { result: PoolResult; rss: number };

const START_MS = 60_000;
/** A child that has had nothing to do for this long gives its memory back. */
const IDLE_MS = 10_000;
/** A child that is larger than this after a page is not used again: what one giant leaves behind would come on top of the next. */
const MAX_RSS = 150 * 1024 * 1024;
/** What a process has beside its heap: the program itself, and the page as bytes and as text. */
const BESIDE_HEAP_MB = 192;
/** How much higher its nice value is than ours: it gets about a third when all cores are busy. */
const NICER = 5;

/**
 * A process that reads one page at a time, for PDFs and for pages so large that they could fill a heap at once:
 * a full heap in a thread ends the whole program, in a process only that process.
 *
 *   idle ──run──► busy ──answer──► idle ── long enough ──► ended
 *                  ├─ answer, but grown large ──► ended
 *                  └─ over its time, over its memory, crash ──► ended: the page fails
 *
 * V8 limits its heap only; what a hostile PDF unpacks lies beside it. So the parent watches the resident memory.
 */
export function createPoolProcess(settings: ExtractPoolOptions, events: Omit<ThreadEvents, 'onSlow'>): PoolThread {
  const child = fork(new URL('./pool-child.ts', import.meta.url), {
    execArgv: [
      `--max-old-space-size=${settings.memoryMb}`,
      // Most memory of a giant page is held until the end of its parsing: a large young generation would only add to it.
      '--max-semi-space-size=1',
      '--optimize-for-size',
      '--stack-size=3900',
      '--disable-warning=ExperimentalWarning',
    ],
    serialization: 'advanced',
    // A full heap prints a long report on stderr; the exit code is enough.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  stepBack(child);
  let task: PoolTask | undefined;
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  let endWatch: (() => void) | undefined;

  const arm = (ms: number, onTime: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(onTime, ms);
  };
  const finish = (): void => {
    if (ended) return;
    ended = true;
    clearTimeout(timer);
    endWatch?.();
    child.kill('SIGKILL');
    events.onEnd([]);
  };
  const fail = (error: AppError): void => {
    task?.reject(error);
    task = undefined;
    finish();
  };
  const maxMb = settings.memoryMb + BESIDE_HEAP_MB;
  const overMemory = () => fail(new AppError('PARSE_MEMORY', `the page needs more than ${maxMb} MB`));
  const overTime = () => fail(new AppError('PARSE_TIMEOUT', `the page took more than ${settings.timeoutMs} ms`));

  child.on('message', (message: ChildMessage) => {
    if (task === undefined || ended) return;
    if ('begun' in message) return arm(settings.timeoutMs, overTime);
    const done = task;
    task = undefined;
    endWatch?.();
    const { result, rss } = message;
    if ('page' in result) done.resolve(result.page);
    else done.reject(new AppError(result.error.code, result.error.message));
    if (rss > MAX_RSS) return finish();
    release(child);
    arm(IDLE_MS, finish);
    timer?.unref();
    events.onIdle();
  });
  child.on('error', (error) => fail(new AppError('PARSE_FAILED', error.message)));
  child.on('exit', (code, signal) => {
    // V8 aborts when its heap is full; the kernel kills what takes the machine's memory.
    const full = signal === 'SIGABRT' || signal === 'SIGKILL' || code === 134;
    fail(
      full
        ? new AppError('PARSE_MEMORY', `the page needs more than ${settings.memoryMb} MB`)
        : new AppError('PARSE_FAILED', 'the process ended'),
    );
  });
  release(child);

  return {
    get load() {
      return task === undefined ? 0 : 1;
    },
    get full() {
      return task !== undefined || ended;
    },
    run([next]) {
      task = next;
      if (next === undefined) return;
      child.ref();
      child.channel?.ref();
      arm(START_MS, overTime);
      if (child.pid !== undefined) endWatch = watchResidentMemory(child.pid, maxMb, overMemory);
      child.send({ raw: next.raw, options: next.options } satisfies ChildRequest, (error) => {
        if (error !== null) fail(new AppError('PARSE_FAILED', error.message));
      });
    },
    async end(reason) {
      task?.reject(reason);
      task = undefined;
      const gone =
        child.exitCode !== null || child.signalCode !== null
          ? undefined
          : new Promise((resolve) => child.once('exit', resolve));
      ended = true;
      clearTimeout(timer);
      endWatch?.();
      child.ref();
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** Lower priority than usual pages, the database and other processes on the machine. */
function stepBack({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.min(19, getPriority() + NICER));
  } catch {
    // It may be gone already, and some systems forbid it: then it runs at normal priority.
  }
}

/** An idle child does not keep the process alive. */
function release(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}
