import type { App } from '../../app.ts';
import { AppError } from '../../errors.ts';
import type { BlobBody, LinkedBlob } from '../../ports/blobs.ts';

export interface OpenBlob extends LinkedBlob, BlobBody {
  /** The requested range; absent: all of it. */
  range?: { start: number; end: number };
}

/** What a signed link leads to. Undefined `range`, or one that is not understood: the whole blob. */
export async function openBlob(app: App, token: string, rangeHeader: string | undefined): Promise<OpenBlob> {
  const linked = await app.blobs.openLink?.(token);
  const whole = linked === undefined ? undefined : await app.blobs.read(linked.reference);
  if (linked === undefined || whole === undefined) throw new AppError('NOT_FOUND', 'nothing is behind this link');
  const range = readRange(rangeHeader, whole.size);
  if (range === undefined) return { ...linked, ...whole };
  if (range.start >= range.end)
    throw new AppError('RANGE_INVALID', `there are ${whole.size} bytes`, { details: { size: whole.size } });
  const part = await app.blobs.read(linked.reference, range);
  if (part === undefined) throw new AppError('NOT_FOUND', 'nothing is behind this link');
  return { ...linked, ...part, range };
}

/** RFC 9110: one range of bytes, from the front or the last few. Several at once are answered with all. */
function readRange(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') return { start: Math.max(0, size - Number(last)), end: size };
  if (last !== '' && Number(last) < Number(first)) return undefined;
  return { start: Number(first), end: last === '' ? size : Math.min(size, Number(last) + 1) };
}
