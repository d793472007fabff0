import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import { readPage } from './extract-page.ts';
import type { PoolReply, PoolRequest, PoolResult } from './pool-thread.ts';

/** The thread's side of the pool: pages one after the other, all answers of a batch in one message. */
const { begun } = workerData as { begun: Int32Array };

let last: Promise<void> = Promise.resolve();
parentPort!.on('message', (request: PoolRequest) => {
  last = last.then(() => readBatch(request));
});

async function readBatch({ pages }: PoolRequest): Promise<void> {
  const results: PoolResult[] = [];
  for (const { raw, options } of pages) {
    Atomics.add(begun, 0, 1);
    try {
      const page = await readPage(raw, options);
      results.push({ page });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      results.push({ error: { code: error instanceof AppError ? error.code : 'PARSE_FAILED', message } });
    }
  }
  const reply: PoolReply = { results };
  parentPort!.postMessage(reply);
}
