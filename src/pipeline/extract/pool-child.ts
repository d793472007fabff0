import { AppError } from '../../errors.ts';
import { readPage } from './extract-page.ts';
import type { ChildMessage, ChildRequest } from './pool-process.ts';
import type { PoolResult } from './pool-thread.ts';

/** The side of the pool that runs in a process of its own: one page at a time. It ends when its parent process ends. */
const send = (message: ChildMessage) => process.send!(message);

const answer = (result: PoolResult) => send({ result, rss: process.memoryUsage.rss() });

process.on('disconnect', () => process.exit(0));
process.on('message', async ({ raw, options }: ChildRequest) => {
  send({ begun: true });
  try {
    const page = await readPage(raw, options);
    answer({ page });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    answer({ error: { code: error instanceof AppError ? error.code : 'PARSE_FAILED', message } });
  }
});
