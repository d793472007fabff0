import { chooseFormat, type Format } from './content-type.ts';
import { extractHtml } from './extract-html.ts';
import type { ExtractedPage, ExtractOptions, RawPage, ReadPage } from './types.ts';

type Reader = (raw: RawPage, options: ExtractOptions) => Promise<ExtractedPage>;

/** One reader a format; all but the one for HTML are loaded when the first such page comes. */
const READERS: Record<Format, () => Reader | Promise<Reader>> = {
  html: () => extractHtml,
  text: async () => (await import('./formats/text.ts')).extractText,
  markdown: async () => (await import('./formats/markdown.ts')).extractMarkdown,
  json: async () => (await import('./formats/json.ts')).extractJson,
  xml: async () => (await import('./formats/xml.ts')).extractXml,
  pdf: async () => (await import('./formats/pdf.ts')).extractPdf,
};

/** Any fetched page → the document it holds. Rejects with CONTENT_TYPE_UNSUPPORTED for what is no text. */
export async function extractPage(raw: RawPage, options: ExtractOptions = {}): Promise<ExtractedPage> {
  const read = await READERS[chooseFormat(raw.body, raw.contentType, raw.url)]();
  return read(raw, options);
}

/** The same, as it leaves the thread or process that read the page. */
export async function readPage(raw: RawPage, options: ExtractOptions): Promise<ReadPage> {
  const { text, ...page } = await extractPage(raw, options);
  return options.keepText === true ? { ...page, text } : page;
}
