import { decodeBody } from '../charset.ts';
import { completePage, nameFromUrl } from '../complete-page.ts';
import { readLanguage } from '../language.ts';
import type { ExtractedPage, RawPage } from '../types.ts';

/** Plain text: kept as it is, with its first line as title where that is short enough to be one. */
export async function extractText(raw: RawPage): Promise<ExtractedPage> {
  const { text: decoded, charset } = decodeBody(raw.body, raw.contentType);
  const text = decoded.replaceAll('\r\n', '\n').trim();
  const first = text.slice(0, 200).split('\n', 1)[0]!.trim();
  return completePage({
    title: first !== '' && first.length <= 100 ? first : nameFromUrl(raw.url),
    markdown: text,
    text,
    language: await readLanguage(undefined, text),
    metadata: { charset },
  });
}
