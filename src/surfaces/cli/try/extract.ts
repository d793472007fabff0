import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import { extractPage } from '../../../pipeline/extract/extract-page.ts';
import { runFilter } from './filter.ts';

const Input = z
  .object({ url: z.string().default(''), html: z.string().optional(), html_gz_b64: z.string().optional() })
  .refine((line) => line.html !== undefined || line.html_gz_b64 !== undefined, 'html or html_gz_b64 is missing');

const MAX_BYTES = 64 * 1024 * 1024;

/** `{id,url,html}` or `{id,url,html_gz_b64}` → `{id,title,text,markdown,language,metadata,links,product}`. */
export async function run(): Promise<void> {
  await runFilter(async (line) => {
    const { url, html, html_gz_b64: packed } = parseInput(line);
    const body = packed === undefined ? Buffer.from(html ?? '', 'utf8') : unpack(packed);
    // A string in JSON is text already: whatever encoding its meta names is history.
    const page = await extractPage({
      url,
      contentType: packed === undefined ? 'text/html; charset=utf-8' : 'text/html',
      body,
    });
    const { title, text, markdown, language, metadata, links, product } = page;
    return {
      title,
      text,
      markdown,
      language,
      metadata: { ...metadata, kind: page.kind },
      links,
      product: product ?? null,
    };
  });
}

function unpack(packed: string): Buffer {
  try {
    return gunzipSync(Buffer.from(packed, 'base64'), { maxOutputLength: MAX_BYTES });
  } catch (cause) {
    throw new AppError('VALIDATION_FAILED', 'html_gz_b64 is not gzip in base64, or unpacks to too much', { cause });
  }
}

function parseInput(line: Record<string, unknown>): z.infer<typeof Input> {
  const parsed = Input.safeParse(line);
  if (parsed.success) return parsed.data;
  throw new AppError('VALIDATION_FAILED', parsed.error.issues.map((issue) => issue.message).join('; '));
}
