import type { Settings } from '../config/settings.ts';
import { AppError } from '../errors.ts';

/** Settings that name an engine without a driver. A new driver removes its line. */
const NOT_AVAILABLE: readonly [name: string, value: (settings: Settings) => string | undefined][] = [
  ['REDIS__URL', ({ redis }) => redis.url],
  ['RABBITMQ__URL', ({ rabbitmq }) => rabbitmq.url],
  ['QDRANT__URL', ({ qdrant }) => qdrant.url],
  ['ELASTICSEARCH__URL', ({ elasticsearch }) => elasticsearch.url],
  ['S3__ENDPOINT', ({ s3 }) => s3.endpoint],
  ['S3__BUCKET', ({ s3 }) => s3.bucket],
  ['CRAWL4AI__URL', ({ crawl4ai }) => crawl4ai.url],
];

/** Stops the start: otherwise another engine would run silently in place of the configured one. */
export function refuseMissingEngines(settings: Settings): void {
  const asked = NOT_AVAILABLE.filter(([, value]) => value(settings) !== undefined).map(([name]) => name);
  if (asked.length > 0)
    throw new AppError('ENGINE_NOT_AVAILABLE', `this version has no driver for ${asked.join(', ')}`, {
      details: { settings: asked },
    });
}
