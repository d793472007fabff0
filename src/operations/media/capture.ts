import { z } from 'zod';
import type { App } from '../../app.ts';
import { AppError } from '../../errors.ts';
import type { CaptureRequest } from '../../pipeline/fetch/capture.ts';
import { siteAccess } from './site-access.ts';

/** What screenshots, prints and scripts have in common. */
export const CaptureFields = {
  url: z.url({ protocol: /^https?$/ }).max(2_048),
  wait_for: z.string().min(1).max(1_000).optional().describe('A CSS selector that must match before it is taken.'),
  wait_seconds: z.number().min(0).max(30).default(2).describe('Further time for a page that is slow to settle.'),
  timeout_ms: z.number().int().min(1_000).max(120_000).optional(),
  viewport: z
    .strictObject({ width: z.number().int().min(100).max(4_000), height: z.number().int().min(100).max(4_000) })
    .optional(),
};

export const CapturedPage = z.object({
  url: z.string().describe('Where it was taken, after redirects.'),
  status: z.number().int(),
  title: z.string(),
});

type Fields = z.output<z.ZodObject<typeof CaptureFields>>;

/** Takes the site's turn, then describes the page to open; redirects take their turns as well. */
export async function toCaptureRequest(app: App, input: Fields, signal?: AbortSignal): Promise<CaptureRequest> {
  const target = new URL(input.url);
  const verdict = app.guard.checkUrl(target);
  if (!verdict.allowed) throw new AppError('URL_BLOCKED', `${target.origin}: ${verdict.reason}`);
  const access = siteAccess(app);
  const { proxy } = await access.enter(input.url);
  return {
    url: input.url,
    waitMs: input.wait_seconds * 1_000,
    onRedirect: (_from, to) => access.enter(to),
    ...(proxy !== null && { proxy }),
    ...(input.wait_for !== undefined && { waitFor: input.wait_for }),
    ...(input.timeout_ms !== undefined && { timeoutMs: input.timeout_ms }),
    ...(input.viewport !== undefined && { viewport: input.viewport }),
    ...(signal !== undefined && { signal }),
  };
}
