import type { App } from '../../app.ts';
import { findStoredResponse } from '../../db/pages/page-views.ts';
import { AppError } from '../../errors.ts';
import { found } from '../found.ts';
import { type OpenRange, openRange } from '../media/open-blob.ts';

export interface StoredResponse extends OpenRange {
  /** A file name made of the address. */
  name: string;
  /** What the site called it, where that can be a header; never to be believed. */
  originalType: string | undefined;
}

/** The response a page was last read from, as it came. Earlier versions of a page keep their text only. */
export async function openStoredResponse(
  app: App,
  pageId: string,
  rangeHeader: string | undefined,
): Promise<StoredResponse> {
  const { url, raw_ref, raw_meta } = found(await findStoredResponse(app.database, pageId), 'page', pageId);
  const opened = raw_ref === null ? undefined : await openRange(app, raw_ref, rangeHeader);
  if (opened === undefined) throw new AppError('RAW_MISSING', 'no response is stored for this page');
  const type = raw_meta?.content_type;
  const originalType = type !== undefined && /^[\x20-\x7e]{1,200}$/.test(type) ? type : undefined;
  return { ...opened, name: nameOf(url), originalType };
}

function nameOf(url: string): string {
  const last = URL.canParse(url) ? new URL(url).pathname.split('/').findLast((part) => part !== '') : undefined;
  return last?.slice(0, 100) ?? 'response';
}
