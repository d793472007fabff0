import type { App } from '../../app.ts';
import { AppError } from '../../errors.ts';
import type { BlobBody, LinkedBlob } from '../../ports/blobs.ts';

export interface OpenRange extends BlobBody {
  /** The requested range; absent: all of it. */
  range?: { start: number; end: number };
}

export interface OpenBlob extends LinkedBlob, OpenRange {}

/** What a signed link leads to. */
export async function openBlob(app: App, token: string, rangeHeader: string | undefined): Promise<OpenBlob> {
  const linked = await app.blobs.openLink?.(token);
  const opened = linked === undefined ? undefined : await openRange(app, linked.reference, rangeHeader);
  if (linked === undefined || opened === undefined) throw new AppError('NOT_FOUND', 'nothing is behind this link');
  return { ...linked, ...opened };
}

/**
 * The bytes of a blob that a Range header asks for; without one, or with one that is not understood, all of them.
 * Undefined: the blob is not there.
 */
export async function openRange(
  app: Pick<App, 'blobs'>,
  reference: string,
  rangeHeader: string | undefined,
): Promise<OpenRange | undefined> {
  const whole = await app.blobs.read(reference);
  const range = whole === undefined ? undefined : readRange(rangeHeader, whole.size);
  if (whole === undefined || range === undefined) return whole;
  if (range.start >= range.end)
    throw new AppError('RANGE_INVALID', `there are ${whole.size} bytes`, { details: { size: whole.size } });
  const part = await app.blobs.read(reference, range);
  return part === undefined ? undefined : { ...part, range };
}

/** RFC 9110: one range of bytes, from the front or the last few. Several at once are answered with all. */
function readRange(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') return { start: Math.max(0, size - Number(last)), end: size };
  if (last !== '' && Number(last) < Number(first)) return undefined;
  return { start: Number(first), end: last === '' ? size : Math.min(size, Number(last) + 1) };
}
