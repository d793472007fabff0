import { AppError } from '../../errors.ts';
import { extractPage } from './extract-page.ts';
import type { ChildMessage, ChildRequest } from './pool-process.ts';

/** The side of the pool that runs in a process of its own: one page at a time. It ends with whoever started it. */
const send = (message: ChildMessage) => process.send!(message);

process.on('disconnect', () => process.exit(0));
process.on('message', async ({ raw, options }: ChildRequest) => {
  send({ begun: true });
  try {
    send({ page: await extractPage(raw, options) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    send({ error: { code: error instanceof AppError ? error.code : 'PARSE_FAILED', message } });
  }
});
