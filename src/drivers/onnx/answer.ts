import { parentPort, workerData } from 'node:worker_threads';
import type { ModelReply } from './replies.ts';
import { stepBack } from './step-back.ts';

interface Request<Task> {
  id: number;
  task: Task;
}

/** Inside a model's thread or process: what it was started with. */
export function readStartData<Data>(): Data {
  return parentPort === null ? JSON.parse(process.argv[2]!) : workerData;
}

/** Inside a model's thread or process: one message in, one message out, in order. A process steps back first, and ends with its parent. */
export function answerWith<Task>(work: (task: Task) => Promise<Float32Array>): void {
  const answer = async ({ id, task }: Request<Task>): Promise<ModelReply> => {
    try {
      return { id, values: await work(task) };
    } catch (error) {
      return { id, error: error instanceof Error ? error.message : String(error) };
    }
  };
  if (parentPort !== null) {
    const port = parentPort;
    port.on('message', async (request: Request<Task>) => {
      const reply = await answer(request);
      port.postMessage(reply, 'values' in reply ? [reply.values.buffer as ArrayBuffer] : []);
    });
    return;
  }
  stepBack();
  process.on('disconnect', () => process.exit(0));
  process.on('message', async (request: Request<Task>) => {
    const reply = await answer(request);
    // The parent may have ended meanwhile: then the answer is dropped.
    if (process.connected) process.send!(reply, undefined, undefined, (error) => error !== null && process.exit(0));
  });
}
