import { extractPage } from './extract-page.ts';
import type { ExtractedPage, ExtractOptions, RawPage } from './types.ts';
export interface ExtractPool extends AsyncDisposable {
  extract(raw: RawPage, options?: ExtractOptions): Promise<ExtractedPage>;
}
export function createExtractPool(_: { threads: number; timeoutMs: number; memoryMb: number }): ExtractPool {
  return { extract: (raw, options) => extractPage(raw, options), [Symbol.asyncDispose]: async () => {} };
}
