import { availableParallelism } from 'node:os';
import { AppError } from '../../errors.ts';
import { createPoolProcess } from './pool-process.ts';
import { createPoolThread, type PoolThread, type ThreadEvents } from './pool-thread.ts';
import type { ExtractOptions, RawPage, ReadPage } from './types.ts';

export interface ExtractPool extends AsyncDisposable {
  /** As `extractPage`, in a thread or a process of its own, and without the plain text unless `keepText` is set. A page that takes too long or too much memory fails alone, with its own code. */
  extract(raw: RawPage, options?: ExtractOptions): Promise<ReadPage>;
  /** Resolves when the thread that would read such a body is there: what happens while it starts is not the page's doing. */
  ready(body: Uint8Array): Promise<void>;
}

export interface ExtractPoolOptions {
  /** 0: as many as the machine has cores to spare. */
  threads: number;
  /** Longest time for one page. */
  timeoutMs: number;
  /** Heap of one thread. */
  memoryMb: number;
}

export interface PoolTask {
  raw: RawPage;
  options: ExtractOptions;
  resolve(page: ReadPage): void;
  reject(error: AppError): void;
  /** How often a thread died over a batch this page was in without being at fault. */
  returned: number;
}

/** Pages that go to a thread in one message; more would only wait there instead of here. */
const MAX_BATCH = 8;
const MAX_RETURNS = 3;

/** Pages above either, and all PDFs, have a process of their own: giants neither delay other pages nor crash the worker. */
const LARGE_BYTES = 512 * 1024;
const LARGE_TAGS = 20_000;
const LESS_THAN = 0x3c;
/** Each may grow to its limit. */
const MAX_PROCESSES = 2;

const PDF_START = Buffer.from('%PDF-');
const NOTHING: RawPage = { url: 'about:blank', contentType: 'text/plain', body: new Uint8Array() };

/** Threads and processes start with the first pages that need them, and are replaced when one dies. */
export function createExtractPool(settings: ExtractPoolOptions): ExtractPool {
  const size = settings.threads > 0 ? settings.threads : Math.max(1, Math.min(4, availableParallelism() - 1));
  const large = createLane(Math.min(size, MAX_PROCESSES), 1, (events) => createPoolProcess(settings, events));
  const usual = createLane(size, MAX_BATCH, (events) => createPoolThread(settings, { ...events, onSlow: large.add }));
  let closed = false;
  const read = (raw: RawPage, options: ExtractOptions, lane: typeof usual): Promise<ReadPage> => {
    if (closed) return Promise.reject(new AppError('CANCELLED', 'the extract pool is closed'));
    return new Promise((resolve, reject) => lane.add({ raw, options, resolve, reject, returned: 0 }));
  };
  const laneOf = (body: Uint8Array) => (isPdf(body) || isLarge(body) ? large : usual);
  return {
    extract: (raw, options = {}) => read(raw, options, laneOf(raw.body)),
    async ready(body) {
      await read(NOTHING, {}, laneOf(body));
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await Promise.all([usual.end(), large.end()]);
    },
  };
}

/** What a PDF unpacks lies outside of the heap, where a thread has no limit. */
function isPdf(body: Uint8Array): boolean {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, 5)).equals(PDF_START);
}

function isLarge(body: Uint8Array): boolean {
  if (body.length > LARGE_BYTES) return true;
  // Shorter than that many of the shortest tags.
  if (body.length < LARGE_TAGS * 3) return false;
  let tags = 0;
  for (let at = body.indexOf(LESS_THAN); at >= 0; at = body.indexOf(LESS_THAN, at + 1)) tags++;
  return tags > LARGE_TAGS;
}

/** A queue and the threads, or processes, that work it off. */
function createLane(size: number, maxBatch: number, open: (events: Omit<ThreadEvents, 'onSlow'>) => PoolThread) {
  const queue: PoolTask[] = [];
  const threads = new Set<PoolThread>();
  let closed = false;

  const giveBack = (tasks: readonly PoolTask[]): void => {
    for (const task of tasks) {
      if (++task.returned > MAX_RETURNS) task.reject(new AppError('PARSE_FAILED', 'its thread ended again and again'));
      else queue.unshift(task);
    }
  };

  const start = (): PoolThread => {
    const thread = open({
      onIdle: schedule,
      onEnd(unfinished) {
        threads.delete(thread);
        giveBack(unfinished);
        schedule();
      },
    });
    threads.add(thread);
    return thread;
  };

  /** One that has nothing to do, before a new one, before one that could hold another batch ready. */
  const choose = (): PoolThread | undefined => {
    const open = [...threads].filter((thread) => !thread.full);
    return open.find((thread) => thread.load === 0) ?? (threads.size < size ? start() : open[0]);
  };

  function schedule(): void {
    while (queue.length > 0 && !closed) {
      const thread = choose();
      if (thread === undefined) return;
      const fair = Math.ceil(queue.length / size);
      thread.run(queue.splice(0, Math.min(maxBatch, fair)));
    }
  }

  return {
    add(task: PoolTask): void {
      queue.push(task);
      schedule();
    },
    async end(): Promise<void> {
      closed = true;
      const ended = new AppError('CANCELLED', 'the extract pool is closed');
      for (const task of queue.splice(0)) task.reject(ended);
      await Promise.all([...threads].map((thread) => thread.end(ended)));
    },
  };
}
