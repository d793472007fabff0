import { z } from 'zod';
import { scoreUrls as score } from '../../pipeline/frontier/relevance.ts';

const Candidate = z.union([
  z.string().min(1).max(2_048),
  z.strictObject({
    url: z.string().min(1).max(2_048),
    title: z.string().max(1_000).optional(),
    text: z.string().max(5_000).optional().describe('Anchor text, or what else is known about it.'),
  }),
]);

export const ScoreUrlsInput = z
  .strictObject({
    urls: z.array(Candidate).min(1).max(10_000),
    query: z.string().trim().min(1).max(1_000),
    score_threshold: z.number().min(0).max(1).default(0).describe('What scores less is left out.'),
  })
  .meta({ id: 'ScoreUrlsInput' });

export const ScoredUrls = z
  .object({ results: z.array(z.object({ url: z.string(), score: z.number() })).describe('Best first.') })
  .meta({ id: 'ScoredUrls' });

/** How well addresses fit a query, by their words. */
export function scoreUrls(input: z.output<typeof ScoreUrlsInput>): z.output<typeof ScoredUrls> {
  const candidates = input.urls.map((each) => {
    if (typeof each === 'string') return { url: each };
    const { url, title, text } = each;
    return { url, ...(title !== undefined && { title }), ...(text !== undefined && { text }) };
  });
  const results = score(candidates, input.query)
    .filter((each) => each.score >= input.score_threshold)
    .sort((a, b) => b.score - a.score || (a.url < b.url ? -1 : 1));
  return { results };
}
