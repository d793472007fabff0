import { AppError } from '../../errors.ts';

/** What comes back from a model's thread or process. */
export type ModelReply = { id: number; values: Float32Array } | { id: number; error: string };

/**
 * A model that runs elsewhere, started with its first task. Tasks wait in line; when it dies, what waits fails and the next
 * task starts it again. While idle it does not keep the program alive.
 */
export interface ModelHost<Task> extends AsyncDisposable {
  /** Tasks it was given and has not answered. */
  readonly load: number;
  run(task: Task): Promise<Float32Array>;
}

/** The tasks that wait for an answer, by number. */
export function createReplies() {
  let nextId = 0;
  const waiting = new Map<number, PromiseWithResolvers<Float32Array>>();
  return {
    get waiting() {
      return waiting.size;
    },
    expect() {
      const id = nextId++;
      const { promise, ...settle } = Promise.withResolvers<Float32Array>();
      waiting.set(id, { promise, ...settle });
      return { id, promise };
    },
    settle(reply: ModelReply): void {
      const task = waiting.get(reply.id);
      waiting.delete(reply.id);
      if ('error' in reply) task?.reject(new AppError('EMBEDDING_INVALID', `the model failed: ${reply.error}`));
      else task?.resolve(reply.values);
    },
    failAll(cause: unknown): void {
      for (const { reject } of waiting.values()) reject(new AppError('ENGINE_DOWN', 'the model ended', { cause }));
      waiting.clear();
    },
  };
}
