import { Worker } from 'node:worker_threads';
import { AppError } from '../../errors.ts';

/** What crosses between the program and a model's thread. */
export type ThreadReply = { id: number; values: Float32Array } | { id: number; error: string };

export interface ModelThread<Task> extends AsyncDisposable {
  /** Tasks it was given and has not answered. */
  readonly load: number;
  run(task: Task): Promise<Float32Array>;
}

/**
 * A thread with a model in it, started with its first task; only then is `data` asked for. Tasks wait in line; a thread that dies fails what waits
 * and is made again for the next task. An idle thread does not keep the program alive.
 */
export function createThread<Task>(file: URL, data: () => object): ModelThread<Task> {
  let worker: Worker | undefined;
  let nextId = 0;
  const waiting = new Map<number, PromiseWithResolvers<Float32Array>>();

  const failAll = (cause: unknown) => {
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new AppError('ENGINE_DOWN', 'the model thread ended', { cause }));
    waiting.clear();
  };
  const start = () => {
    const made = new Worker(file, { workerData: data() });
    made.on('message', (reply: ThreadReply) => {
      const promise = waiting.get(reply.id);
      waiting.delete(reply.id);
      if (waiting.size === 0) made.unref();
      if ('error' in reply) promise?.reject(new AppError('EMBEDDING_INVALID', `the model failed: ${reply.error}`));
      else promise?.resolve(reply.values);
    });
    made.on('error', failAll);
    made.on('exit', (code) => worker === made && failAll(new Error(`exit code ${code}`)));
    return made;
  };

  return {
    get load() {
      return waiting.size;
    },
    run(task) {
      worker ??= start();
      worker.ref();
      const id = nextId++;
      const promise = Promise.withResolvers<Float32Array>();
      waiting.set(id, promise);
      worker.postMessage({ id, task });
      return promise.promise;
    },
    async [Symbol.asyncDispose]() {
      const ending = worker;
      worker = undefined;
      await ending?.terminate();
      failAll(undefined);
    },
  };
}
