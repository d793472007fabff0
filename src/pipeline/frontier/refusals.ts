import type { Refusals } from '../../db/crawls/settle-crawls.ts';
import type { ErrorCode } from '../../errors.ts';

const MAX_SAMPLES = 20;

/** Counts addresses that do not enter a crawl under their reason, and keeps the first few as examples. */
export function refuse(refused: Refusals, code: ErrorCode, samples: readonly string[], count = samples.length): void {
  if (count === 0) return;
  const entry = refused[code] ?? { count: 0, samples: [] };
  refused[code] = entry;
  entry.count += count;
  if (entry.samples.length < MAX_SAMPLES) entry.samples.push(...samples.slice(0, MAX_SAMPLES - entry.samples.length));
}
