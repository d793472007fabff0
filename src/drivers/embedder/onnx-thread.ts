import { Worker } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import type { OnnxReply, OnnxRequest, OnnxWorkerData } from './onnx-worker.ts';

export interface OnnxThread extends AsyncDisposable {
  /** Vectors of one batch, one after the other in one array. */
  run(texts: string[]): Promise<Float32Array>;
}

/** A thread with a session. Batches wait in line; a thread that dies fails what waits and is made again. */
export function createThread(data: OnnxWorkerData): OnnxThread {
  let worker: Worker | undefined;
  let nextId = 0;
  const waiting = new Map<number, PromiseWithResolvers<Float32Array>>();

  const failAll = (cause: unknown) => {
    worker = undefined;
    for (const { reject } of waiting.values())
      reject(new AppError('ENGINE_DOWN', 'the embedding thread ended', { cause }));
    waiting.clear();
  };
  const start = () => {
    const made = new Worker(new URL('./onnx-worker.ts', import.meta.url), { workerData: data });
    made.on('message', (reply: OnnxReply) => {
      const promise = waiting.get(reply.id);
      waiting.delete(reply.id);
      if (waiting.size === 0) made.unref();
      if ('error' in reply) promise?.reject(new AppError('EMBEDDING_INVALID', `the model failed: ${reply.error}`));
      else promise?.resolve(reply.vectors);
    });
    made.on('error', failAll);
    made.on('exit', (code) => worker === made && failAll(new Error(`exit code ${code}`)));
    return made;
  };

  return {
    run(texts) {
      worker ??= start();
      worker.ref();
      const id = nextId++;
      const promise = Promise.withResolvers<Float32Array>();
      waiting.set(id, promise);
      worker.postMessage({ id, texts } satisfies OnnxRequest);
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
