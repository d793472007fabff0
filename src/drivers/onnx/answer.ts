import { parentPort } from 'node:worker_threads';
import type { ThreadReply } from './thread.ts';

/** Inside a model's thread: one message in, one message out, in order. */
export function answerWith<Task>(work: (task: Task) => Promise<Float32Array>): void {
  parentPort?.on('message', async ({ id, task }: { id: number; task: Task }) => {
    try {
      const values = await work(task);
      parentPort?.postMessage({ id, values } satisfies ThreadReply, [values.buffer as ArrayBuffer]);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      parentPort?.postMessage({ id, error: message } satisfies ThreadReply);
    }
  });
}
