import { z } from 'zod';
import type { App } from '../../app.ts';
import type { CaptureKind, CaptureRow } from '../../db/media/captures.ts';
import type { CaptureRequest } from '../../pipeline/fetch/capture.ts';
import { politeClient } from '../polite-client.ts';
import { Id, Time } from '../schemas.ts';

/** What screenshots, prints and scripts have in common. */
export const CaptureFields = {
  url: z.url({ protocol: /^https?$/ }).max(2_048),
  wait_for: z.string().min(1).max(1_000).optional().describe('A CSS selector that must match before it is taken.'),
  wait_seconds: z.number().min(0).max(30).default(2).describe('Further time for a page that is slow to settle.'),
  timeout_ms: z.number().int().min(1_000).max(120_000).optional(),
  viewport: z
    .strictObject({ width: z.number().int().min(100).max(4_000), height: z.number().int().min(100).max(4_000) })
    .optional(),
  fresh: z
    .boolean()
    .default(false)
    .describe('Make a new one, also when the same was requested within MEDIA__CACHE_S (an hour).'),
};

export const InlineField = {
  inline: z.boolean().default(true).describe('Whether `data` holds the bytes; the link is there in any case.'),
};

/** What every answer with a capture says. */
export const CapturedPage = z.object({
  id: Id,
  url: z.string().describe('Where it was taken, after redirects.'),
  status: z.number().int(),
  title: z.string(),
  size: z.number().int().describe('Bytes.'),
  cached: z.boolean().describe('True: it was made for an earlier request, or for one at the same time.'),
  captured_at: Time,
  expires_at: Time.describe('When it is removed.'),
  link: z.string().describe('A signed link to the bytes: whoever has it may download them.'),
  link_expires_at: Time,
});

export type CaptureInput = z.output<z.ZodObject<typeof CaptureFields>>;

/** For whom a capture is made. */
export interface CaptureCaller {
  owner?: string;
  signal?: AbortSignal;
}

const ENDINGS: Record<CaptureKind, string> = { screenshot: 'png', pdf: 'pdf', scripts: 'json' };

/** A signed link to the bytes of a capture. */
export async function linkTo(
  { blobs, settings }: App,
  row: CaptureRow,
): Promise<{ link: string; link_expires_at: Date }> {
  const { linkS } = settings.media;
  const name = `${row.kind}-${row.id}.${ENDINGS[row.kind]}`;
  const link = await blobs.link({ reference: row.blob_ref, name, contentType: row.content_type }, linkS);
  return { link, link_expires_at: new Date(Date.now() + linkS * 1_000) };
}

/** The answer to a request for a capture, but for its bytes. */
export const describeCapture = async (app: App, { row, cached }: { row: CaptureRow; cached: boolean }) => ({
  ...row.page,
  id: row.id,
  size: row.bytes,
  cached,
  captured_at: row.created_at,
  expires_at: row.expires_at,
  ...(await linkTo(app, row)),
});

/**
 * Opens a page when its site may be requested. Waiting for that counts against the caller's time limit: a site whose turn
 * comes later rejects at once with DOMAIN_WAITING.
 */
export function visitForCapture<T>(
  app: App,
  input: CaptureInput,
  signal: AbortSignal | undefined,
  open: (request: CaptureRequest) => Promise<T>,
): Promise<T> {
  const timeoutMs = timeoutOf(app, input);
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

export const timeoutOf = (app: App, input: CaptureInput) => input.timeout_ms ?? app.settings.browser.timeoutMs;
