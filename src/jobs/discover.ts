import type { z } from 'zod';
import { AppError } from '../errors.ts';
import { DiscoveryInput, type DiscoveryResult, type FoundUrl } from '../operations/discover/discovery.ts';
import { politeClient } from '../operations/polite-client.ts';
import { discoverUrls } from '../pipeline/discover/discover-urls.ts';
import type { DiscoveredUrl, DiscoverProblem } from '../pipeline/discover/types.ts';
import type { Job } from './job.ts';

const TELL_EVERY_MS = 1_000;

/** Looks for the addresses of a site. It only reads, so running it twice does no harm. */
export const discoverJob: Job = {
  kind: 'discover',
  async run({ app, signal, timeoutMs, progress }, payload) {
    const input = DiscoveryInput.parse(payload);
    const { settings } = app;
    const run = discoverUrls(
      {
        polite: politeClient(app),
        fetcher: app.fetcher,
        userAgent: settings.userAgent,
        commonCrawlUrl: settings.discover.commonCrawlUrl,
        timeoutMs: timeoutMs * 0.95,
        signal,
      },
      {
        site: input.domain,
        sources: input.sources,
        maxUrls: input.max_urls,
        scoreThreshold: input.score_threshold,
        ...(input.pattern !== undefined && { pattern: input.pattern }),
        ...(input.score_query !== undefined && { query: input.score_query }),
      },
    );

    const urls: FoundUrl[] = [];
    let toldAt = performance.now();
    while (true) {
      const step = await run.next();
      if (step.done === true) {
        signal.throwIfAborted();
        const { examined, beyond, limit = null, problems } = step.value;
        // Nothing found for a reason is a failure that says so; nothing found without one is an answer.
        if (examined === 0 && problems.length > 0) throw toFailure(problems);
        return { urls, examined, left_out: beyond.count, limit, problems } satisfies z.output<typeof DiscoveryResult>;
      }
      urls.push(toFound(step.value));
      if (performance.now() - toldAt > TELL_EVERY_MS) {
        toldAt = performance.now();
        await progress({ urls_found: urls.length });
      }
    }
  },
};

function toFailure(problems: readonly DiscoverProblem[]): AppError {
  const failures = problems.map(
    ({ code, message, retryAfterMs }) =>
      new AppError(code, message, { details: { problems }, ...(retryAfterMs !== undefined && { retryAfterMs }) }),
  );
  return failures.find((failure) => failure.retryable) ?? failures[0]!;
}

const toFound = (found: DiscoveredUrl): FoundUrl => ({
  url: found.url,
  source: found.source,
  last_modified: found.lastModified ?? null,
  change_frequency: found.changeFrequency ?? null,
  priority: found.priority ?? null,
  title: found.title ?? null,
  language: found.language ?? null,
  score: found.score ?? null,
});
