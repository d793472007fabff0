import { z } from 'zod';
import type { App } from '../../app.ts';
import { AppError, toAppError } from '../../errors.ts';
import type { Engine, EngineReport } from '../../ports/engine.ts';

export const EngineCheck = z.object({
  engine: z.string().describe('The name of the engine, as its driver gives it.'),
  status: z.enum(['ok', 'down', 'off']),
  ms: z.number().describe('How long the answer took.'),
});

export interface CheckedEngine extends z.output<typeof EngineCheck> {
  /** The port it stands behind. */
  name: string;
  version?: string;
  /** What it said, or why it did not answer. Not for the public. */
  detail: string;
}

const TIMEOUT_MS = 10_000;

/** Returns what each engine reports. `deep` includes engines that have to be started or loaded first. */
export async function checkEngines(app: App, options: { deep?: boolean } = {}): Promise<CheckedEngine[]> {
  const { database, cache, pubsub, dispatch, vectors, fulltext, blobs, embedder, reranker, browser } = app;
  if (options.deep !== true)
    return Promise.all(
      Object.entries({ database, cache, pubsub, dispatch, vectors, fulltext }).map(([name, engine]) =>
        check(name, engine),
      ),
    );
  // One after the other: their times are read.
  const reports: CheckedEngine[] = [];
  const engines = { database, cache, pubsub, dispatch, vectors, fulltext, blobs, embedder, reranker, browser };
  for (const [name, engine] of Object.entries(engines)) reports.push(await check(name, engine));
  return reports;
}

async function check(name: string, asked: Engine | undefined): Promise<CheckedEngine> {
  if (asked === undefined) return { name, engine: 'none', status: 'off', ms: 0, detail: 'not configured' };
  const start = performance.now();
  try {
    const { latencyMs, ...said } = await withinTime(asked.check());
    return { name, ...said, status: 'ok', ms: latencyMs };
  } catch (thrown) {
    const { code, message } = toAppError(thrown);
    const ms = Math.round((performance.now() - start) * 10) / 10;
    // Pages without a browser are read as they come: that is a choice, not a fault.
    const status = code === 'BROWSER_MISSING' ? ('off' as const) : ('down' as const);
    return { name, engine: asked.engine, status, ms, detail: `${message} (${code})` };
  }
}

async function withinTime(answer: Promise<EngineReport>): Promise<EngineReport> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new AppError('ENGINE_DOWN', `no answer within ${TIMEOUT_MS / 1_000} s`)),
    TIMEOUT_MS,
  );
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
