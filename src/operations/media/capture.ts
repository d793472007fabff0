import { z } from 'zod';
import type { App } from '../../app.ts';
import type { CaptureRequest } from '../../pipeline/fetch/capture.ts';
import { politeClient } from '../polite-client.ts';

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

/**
 * Opens a page when its site may be requested. Waiting for that counts against the caller's time limit: a site whose turn
 * comes later rejects at once with DOMAIN_WAITING.
 */
export function visitForCapture<T>(
  app: App,
  input: Fields,
  signal: AbortSignal | undefined,
  open: (request: CaptureRequest) => Promise<T>,
): Promise<T> {
  const timeoutMs = input.timeout_ms ?? app.settings.browser.timeoutMs;
  return politeClient(app).visit(input.url, { deadlineAt: performance.now() + timeoutMs, signal }, (way) =>
    open({
      ...way,
      url: input.url,
      waitMs: input.wait_seconds * 1_000,
      timeoutMs,
      ...(input.wait_for !== undefined && { waitFor: input.wait_for }),
      ...(input.viewport !== undefined && { viewport: input.viewport }),
    }),
  );
}
