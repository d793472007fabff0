import { createHash } from 'node:crypto';
import type { App } from '../app.ts';
import {
  type FetchedImage,
  listWaitingImages,
  saveFetchedImages,
  type WaitingImage,
} from '../db/products/product-images.ts';
import { AppError, toAppError } from '../errors.ts';
import { politeClient } from '../operations/polite-client.ts';
import { readImageInfo } from '../pipeline/extract/product/images.ts';
import type { Job } from './job.ts';

const BATCH = 32;
/** Longest wait for a site's turn. */
const PATIENCE_MS = 30_000;

/** Fetches the pictures of products that wait, in turn with all other requests to the same sites. */
export const productImagesJob: Job = {
  kind: 'product-images',
  async run({ app, signal, progress }) {
    let fetched = 0;
    let failed = 0;
    let after: string | undefined;
    let refusal: AppError | undefined;
    while (!signal.aborted) {
      const waiting = await listWaitingImages(app.database, BATCH, after);
      if (waiting.length === 0) break;
      after = waiting.at(-1)!.id;
      const answers = await Promise.all(waiting.map((image) => fetchImage(app, image, signal)));
      signal.throwIfAborted();
      const results = answers.filter((answer): answer is Result => !(answer instanceof AppError));
      refusal = answers.find((answer) => answer instanceof AppError) ?? refusal;
      await saveFetchedImages(app.database, await keepBytes(app, results));
      failed += results.filter((result) => result.body === undefined).length;
      fetched += results.length;
      await progress({ fetched, failed });
    }
    // Images of sites that may not be requested now stay pending; a later run of the job fetches them.
    if (refusal !== undefined) throw refusal;
    return { fetched, failed };
  },
};

type Result = Omit<FetchedImage, 'blob_ref'> & { body: Uint8Array | undefined };

/**
 * An image that cannot be fetched stores the reason; the next visit of its page does not try again. An error: its site may not be requested
 * now, and it waits.
 */
async function fetchImage(app: App, { id, url }: WaitingImage, signal: AbortSignal): Promise<Result | AppError> {
  const nothing = { id, content_hash: null, media_type: null, width: null, height: null, bytes: null, body: undefined };
  try {
    const deadlineAt = performance.now() + PATIENCE_MS;
    const { status, body } = await politeClient(app).visit(url, { deadlineAt, signal }, (way) =>
      app.fetcher.fetch({
        ...way,
        url,
        maxBytes: app.settings.products.maxImageBytes,
        headers: { 'user-agent': app.settings.userAgent, accept: 'image/*' },
      }),
    );
    if (status !== 200) throw new AppError(status >= 500 ? 'HTTP_5XX' : 'HTTP_4XX', `${url} answered ${status}`);
    const info = readImageInfo(body);
    if (info === undefined) throw new AppError('CONTENT_TYPE_UNSUPPORTED', `${url} is no image`);
    const content_hash = createHash('sha256').update(body).digest('hex');
    const { mediaType: media_type, width, height } = info;
    return { id, content_hash, media_type, width, height, bytes: body.length, error_code: null, body };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.retryable && error.has('held_off')) return error;
    return { ...nothing, error_code: error.code };
  }
}

async function keepBytes(app: App, results: readonly Result[]): Promise<FetchedImage[]> {
  const bodies = new Map(
    results.flatMap(({ content_hash, body }) => (body === undefined ? [] : [[content_hash!, body]])),
  );
  const references = await app.blobs.put([...bodies.values()]);
  const byHash = new Map([...bodies.keys()].map((hash, at) => [hash, references[at]!]));
  return results.map(({ body: _body, ...result }) => ({
    ...result,
    blob_ref: result.content_hash === null ? null : (byHash.get(result.content_hash) ?? null),
  }));
}
