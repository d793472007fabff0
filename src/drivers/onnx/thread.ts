import { Worker } from 'node:worker_threads';
import { createReplies, type ModelHost, type ModelReply } from './replies.ts';

/** A thread with a model in it: at the priority of the program, for interactive work. */
export function createModelThread<Task>(file: URL, data: object): ModelHost<Task> {
  let worker: Worker | undefined;
  const replies = createReplies();

  const failAll = (cause: unknown) => {
    worker = undefined;
    replies.failAll(cause);
  };
  const start = () => {
    const made = new Worker(file, { workerData: data });
    made.on('message', (reply: ModelReply) => {
      replies.settle(reply);
      if (replies.waiting === 0) made.unref();
    });
    made.on('error', failAll);
    made.on('exit', (code) => worker === made && failAll(new Error(`exit code ${code}`)));
    return made;
  };

  return {
    get load() {
      return replies.waiting;
    },
    run(task) {
      worker ??= start();
      worker.ref();
      const { id, promise } = replies.expect();
      worker.postMessage({ id, task });
      return promise;
    },
    async [Symbol.asyncDispose]() {
      const ending = worker;
      worker = undefined;
      await ending?.terminate();
      failAll(undefined);
    },
  };
}
