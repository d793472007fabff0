import type { ExportRow } from '../batches.ts';
import { fileNameOf } from '../file-name.ts';
import { writeZip, type ZipFile } from './zip.ts';

interface DocumentRow extends ExportRow {
  url: string;
  title: string | null;
  language: string | null;
  fetched_at: Date;
  tags: { name: string }[];
  content: string;
}

/** A zip of Markdown files, one a document, with what else is known of it in front. */
export const writeMarkdown = (batches: AsyncIterable<ExportRow[]>): AsyncGenerator<Uint8Array> =>
  writeZip(toFiles(batches as AsyncIterable<DocumentRow[]>));

async function* toFiles(batches: AsyncIterable<DocumentRow[]>): AsyncGenerator<ZipFile> {
  for await (const rows of batches)
    for (const row of rows)
      yield { name: fileNameOf(row.url), content: `${frontMatter(row)}${row.content}\n`, modified: row.fetched_at };
}

/** YAML takes JSON strings as they are: nothing in a title can end the block or start another field. */
function frontMatter({ id, url, title, language, fetched_at, tags }: DocumentRow): string {
  const fields = {
    title: title ?? url,
    url,
    id,
    fetched_at: fetched_at.toISOString(),
    language,
    tags: tags.map(({ name }) => name),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n\n`;
}
