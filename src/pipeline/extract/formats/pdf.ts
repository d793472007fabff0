import { AppError } from '../../../errors.ts';
import { completePage, nameFromUrl } from '../complete-page.ts';
import { toIsoDate } from '../dates.ts';
import { collapse } from '../dom.ts';
import { readLanguage } from '../language.ts';
import type { ExtractedPage, Heading, PageMetadata, RawPage } from '../types.ts';

const MAX_PAGES = 500;
const MAX_MS = 15_000;

/** A PDF: its text page by page, each under a heading that can be linked to. */
export async function extractPdf(raw: RawPage): Promise<ExtractedPage> {
  const { getDocumentProxy, getMeta } = await import('unpdf');
  // The reader takes the buffer over, so it gets its own.
  const pdf = await getDocumentProxy(new Uint8Array(raw.body), { verbosity: 0 }).catch((cause: unknown) => {
    throw new AppError('PARSE_FAILED', 'the PDF cannot be read', { cause });
  });
  try {
    const info = (await getMeta(pdf)).info as Record<string, unknown>;
    const pages: string[] = [];
    const end = performance.now() + MAX_MS;
    for (let number = 1; number <= Math.min(pdf.numPages, MAX_PAGES) && performance.now() < end; number++)
      pages.push(await readPage(pdf, number));
    const text = pages.filter((page) => page !== '').join('\n\n');
    const headings: Heading[] = [];
    const markdown: string[] = [];
    for (const [index, page] of pages.entries()) {
      if (page === '') continue;
      headings.push({ level: 2, text: `Page ${index + 1}` });
      markdown.push(`## Page ${index + 1}\n\n${page}`);
    }
    return completePage({
      title: textOf(info.Title) ?? firstLine(text) ?? nameFromUrl(raw.url),
      markdown: markdown.join('\n\n'),
      text,
      language: await readLanguage(undefined, text),
      metadata: { ...readInfo(info), pages: pdf.numPages },
      headings,
    });
  } finally {
    await pdf.loadingTask.destroy();
  }
}

type Pdf = Awaited<ReturnType<typeof import('unpdf')['getDocumentProxy']>>;

async function readPage(pdf: Pdf, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  let text = '';
  let height = 0;
  let bottom: number | undefined;
  for (const item of items) {
    if (!('str' in item)) continue;
    const y = Number(item.transform[5]);
    // A gap of more than a line and a half starts a new paragraph.
    if (bottom !== undefined && height > 0 && bottom - y > height * 1.8 && text.endsWith('\n')) text += '\n';
    text += item.str;
    if (item.str !== '') [bottom, height] = [y, item.height || height];
    if (item.hasEOL) text += '\n';
  }
  page.cleanup();
  return text
    .replace(/(\p{L})-\n(\p{Ll})/gu, '$1$2')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function readInfo(info: Record<string, unknown>): PageMetadata {
  const metadata: PageMetadata = {};
  const author = textOf(info.Author);
  const subject = textOf(info.Subject);
  const published = pdfDate(info.CreationDate);
  const modified = pdfDate(info.ModDate);
  if (author !== undefined) metadata.author = author;
  if (subject !== undefined) metadata.description = subject;
  if (published !== undefined) metadata.publishedAt = published;
  if (modified !== undefined) metadata.modifiedAt = modified;
  return metadata;
}

/** D:20191118103000+01'00' → ISO 8601. */
function pdfDate(value: unknown): string | undefined {
  const found = /^(?:D:)?(\d{4})(\d{2})(\d{2})(\d{2})?(\d{2})?(\d{2})?(Z|[+-]\d{2}'?\d{2})?/.exec(String(value ?? ''));
  if (found === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = 'Z'] = found;
  return toIsoDate(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone.replaceAll("'", '')}`);
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? collapse(value) : '';
  return text === '' || /^untitled$|\.(?:docx?|pdf|tex|indd)$/i.test(text) ? undefined : text;
}

function firstLine(text: string): string | undefined {
  const line = text
    .split('\n')
    .find((part) => part.trim().length > 3)
    ?.trim();
  return line !== undefined && line.length <= 150 ? line : undefined;
}
