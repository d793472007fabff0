import { z } from 'zod';
import type { App } from '../../app.ts';
import { AppError, toAppError } from '../../errors.ts';

export const EngineCheck = z.object({
  status: z.enum(['ok', 'down', 'off']),
  ms: z.number().describe('How long the answer took.'),
});

export interface EngineReport extends z.output<typeof EngineCheck> {
  name: string;
  /** What answered, or why nothing did. Not for the public. */
  detail: string;
}

const TIMEOUT_MS = 10_000;

/** Asks each engine something small. `deep` also runs the models, which may have to be loaded first. */
export async function checkEngines(app: App, options: { deep?: boolean } = {}): Promise<EngineReport[]> {
  const asks: [name: string, ask: () => Promise<string | undefined>][] = [
    ['database', async () => `PostgreSQL ${await app.database.ping()}`],
    ['cache', () => askCache(app)],
    ['vectors', async () => `${await app.vectors.count()} vectors of ${app.vectors.dimension}`],
    ['fulltext', async () => `${await app.fulltext.count()} chunks`],
  ];
  if (options.deep === true)
    asks.push(
      ['blobs', () => askBlobs(app)],
      [
        'embedder',
        async () => `${app.embedder.model}, ${(await app.embedder.embed(['ready?'], 'query'))[0]!.length} numbers`,
      ],
      [
        'reranker',
        async () => (app.reranker === undefined ? undefined : `${app.reranker.model}, ${await askReranker(app)}`),
      ],
    );
  // One after the other where times are read; together where only the outcome counts.
  if (options.deep !== true) return Promise.all(asks.map(([name, ask]) => check(name, ask)));
  const reports: EngineReport[] = [];
  for (const [name, ask] of asks) reports.push(await check(name, ask));
  return reports;
}

async function check(name: string, ask: () => Promise<string | undefined>): Promise<EngineReport> {
  const start = performance.now();
  const ms = () => Math.round((performance.now() - start) * 10) / 10;
  const late = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const detail = await Promise.race([
      ask(),
      new Promise<never>((_, reject) => {
        late.addEventListener('abort', () =>
          reject(new AppError('ENGINE_DOWN', `no answer within ${TIMEOUT_MS / 1_000} s`)),
        );
      }),
    ]);
    return detail === undefined
      ? { name, status: 'off', ms: ms(), detail: 'not configured' }
      : { name, status: 'ok', ms: ms(), detail };
  } catch (thrown) {
    const error = toAppError(thrown);
    return { name, status: 'down', ms: ms(), detail: `${error.message} (${error.code})` };
  }
}

async function askCache(app: App): Promise<string> {
  const value = Buffer.from('1');
  await app.cache.set('check', value, 60_000);
  if ((await app.cache.get('check')) === undefined) throw new AppError('ENGINE_DOWN', 'a value written is not there');
  return app.settings.redis.url === undefined ? 'in this process' : 'redis';
}

async function askBlobs(app: App): Promise<string> {
  const [reference] = await app.blobs.put([Buffer.from('crawl4r doctor')]);
  if ((await app.blobs.get(reference!)) === undefined) throw new AppError('ENGINE_DOWN', 'bytes written are not there');
  await app.blobs.delete([reference!]);
  return app.settings.s3.endpoint === undefined ? 'files' : 's3';
}

async function askReranker(app: App): Promise<string> {
  const scores = await app.reranker!.rerank('ready?', ['yes']);
  return `${scores.length} score`;
}
