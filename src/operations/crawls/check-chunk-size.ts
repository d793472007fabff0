import type { App } from '../../app.ts';
import type { CrawlOptions } from '../../db/crawls/crawl-options.ts';
import { AppError } from '../../errors.ts';
import { largestSize } from '../../pipeline/index/embedding-text.ts';

/**
 * Refuses a chunk size that the model cannot read. A stored one that became too large with another model is cut to
 * fit when it is used.
 */
export function checkChunkSize(app: Pick<App, 'embedder'>, { chunk_size: size }: CrawlOptions): void {
  if (size === undefined) return;
  const { model, maxTokens } = app.embedder;
  const largest = largestSize(maxTokens);
  if (size <= largest) return;
  throw new AppError(
    'VALIDATION_FAILED',
    `chunk_size is ${size}, and the model reads chunks of ${largest} tokens at most`,
    {
      details: { chunk_size: `at most ${largest}` },
      hint: `${model} reads ${maxTokens} tokens at once, title and heading included. Ask for ${largest} or less, or set another model.`,
    },
  );
}
