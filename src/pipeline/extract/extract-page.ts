import { extractHtml } from './extract-html.ts';
import type { ExtractedPage, ExtractOptions, RawPage } from './types.ts';

/** Any fetched page → the document it holds. */
export async function extractPage(raw: RawPage, options: ExtractOptions = {}): Promise<ExtractedPage> {
  return extractHtml(raw, options);
}
