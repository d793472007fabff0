import type { App } from '../../app.ts';
import type { CrawlOptions } from '../../db/crawls/crawl-options.ts';
import { AppError } from '../../errors.ts';

/**
 * Refuses a chunk size that the model cannot read. Title and heading are read with each chunk: of a size close to the
 * limit the indexer leaves them their share. A stored size that became too large with another model is cut when used.
 */
export function checkChunkSize(app: Pick<App, 'embedder'>, { chunk_size: size }: CrawlOptions): void {
  if (size === undefined) return;
  const { model, maxTokens } = app.embedder;
  if (size <= maxTokens) return;
  throw new AppError('VALIDATION_FAILED', `chunk_size is ${size}, and the model reads ${maxTokens} tokens at once`, {
    details: { chunk_size: `at most ${maxTokens}` },
    hint: `Ask for ${maxTokens} or less, or set another model than ${model}.`,
  });
}
