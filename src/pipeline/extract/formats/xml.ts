import { isFeedRoot } from '../../discover/xml-reader.ts';
import { XmlScanner } from '../../discover/xml-scanner.ts';
import { decodeBody } from '../charset.ts';
import { completePage, nameFromUrl } from '../complete-page.ts';
import { collapse } from '../dom.ts';
import { readLanguage } from '../language.ts';
import type { ExtractedPage, RawPage } from '../types.ts';
import { extractFeed } from './feed.ts';

const MAX_CHARACTERS = 5_000_000;

/** An XML document: a feed if its root says so, else the text of its elements, a line each. */
export async function extractXml(raw: RawPage): Promise<ExtractedPage> {
  const { text: source, charset } = decodeBody(raw.body, raw.contentType);
  const lines: string[] = [];
  let root: string | undefined;
  let title: string | undefined;
  let line = '';
  let length = 0;
  const endLine = (): void => {
    const text = collapse(line);
    line = '';
    if (text === '') return;
    lines.push(text);
    length += text.length;
    if (length > MAX_CHARACTERS) scanner.stop();
  };
  const scanner: XmlScanner = new XmlScanner({
    onOpen(name) {
      endLine();
      root ??= name;
      if (isFeedRoot(root)) scanner.stop();
    },
    onText(text) {
      line += text;
    },
    onClose(name) {
      endLine();
      if (title === undefined && /(?:^|:)title$/.test(name)) title = lines.at(-1);
    },
  });
  scanner.write(source);
  scanner.end();
  if (root !== undefined && isFeedRoot(root)) return extractFeed(raw);
  endLine();
  const text = lines.join('\n');
  return completePage({
    title: title ?? nameFromUrl(raw.url),
    markdown: lines.join('\n\n'),
    text,
    language: await readLanguage(undefined, text),
    metadata: { charset },
  });
}
