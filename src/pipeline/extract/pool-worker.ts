import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import { extractPage } from './extract-page.ts';
import type { PoolReply, PoolRequest, PoolResult } from './pool-thread.ts';

/** The thread's side of the pool: pages one after the other, all answers of a batch in one message. */
const { position } = workerData as { position: Int32Array };

parentPort!.on('message', async ({ pages }: PoolRequest) => {
  const results: PoolResult[] = [];
  for (const [index, { raw, options }] of pages.entries()) {
    Atomics.store(position, 0, index);
    try {
      results.push({ page: await extractPage(raw, options) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      results.push({ error: { code: error instanceof AppError ? error.code : 'PARSE_FAILED', message } });
    }
  }
  const reply: PoolReply = { results };
  parentPort!.postMessage(reply);
});
