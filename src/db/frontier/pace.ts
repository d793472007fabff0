/** The pace of a domain, as SQL over its row `d`. `rps` is the place of the default rate. */

/** Milliseconds from an answer to the next request, which runs alone: what robots.txt and the site's answers require. */
export const DELAY_MS = 'greatest(d.crawl_delay_ms, d.throttle_ms)';

/**
 * Milliseconds between the starts of two requests; 0: no limit. A little more than the rate says: one request may be
 * longer on its way than the next, and the site should not see them closer than agreed.
 */
export const PACE_MS = (rps: string) => `CASE WHEN coalesce(d.rate_limit_rps, ${rps}::float8) > 0
  THEN ceil(least(20, 40 / coalesce(d.rate_limit_rps, ${rps}::float8)) + 1000 / coalesce(d.rate_limit_rps, ${rps}::float8))
  ELSE 0 END::int`;

/** What one request takes of a turn: its gap, and a margin for late timers. */
export const STEP_MS = (gap: string) =>
  `CASE WHEN ${gap} = 0 THEN 0 ELSE ${gap} + greatest(5, least(50, ${gap} / 10)) END`;
