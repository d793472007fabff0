import type { App } from '../../app.ts';
import { readContents } from '../../db/exports/export-rows.ts';
import { type LlmsRow, listLlmsRows } from '../../db/exports/llms-rows.ts';
import { findCollection } from '../../db/organise/collections.ts';
import { found } from '../found.ts';
import { splitByWeight } from './batches.ts';

const BATCH = 5_000;
const MAX_CHARACTERS = 4_000_000;
const MAX_DESCRIPTION = 300;

/**
 * A collection as llmstxt.org asks for it: its name, what it is about, and its documents as lists of links, a section a folder of
 * a site; `full` with the texts in place of the lists. NOT_FOUND before anything is written.
 */
export async function writeLlms(app: App, collectionId: string, full: boolean): Promise<AsyncGenerator<Uint8Array>> {
  const collection = found(await findCollection(app.database, collectionId), 'collection', collectionId);
  const head = [`# ${oneLine(collection.name)}`];
  if (collection.description !== null) head.push(`> ${oneLine(collection.description)}`);
  return write(app, collectionId, `${head.join('\n\n')}\n`, full);
}

async function* write(app: App, collectionId: string, head: string, full: boolean): AsyncGenerator<Uint8Array> {
  yield Buffer.from(head);
  const batches = readRows(app, collectionId);
  if (full) {
    for await (const rows of splitByWeight(batches, (row) => row.content_length, MAX_CHARACTERS))
      yield Buffer.from(await toTexts(app, rows));
    return;
  }
  let section: string | undefined;
  for await (const rows of batches) {
    let text = '';
    for (const row of rows) {
      const own = row.section === '' ? row.host : `${row.host}/${row.section}`;
      if (own !== section) text += `\n## ${oneLine(own) || 'Uploads'}\n\n`;
      section = own;
      text += `- [${escapeLabel(row.title ?? row.url)}](${toTarget(row.url)})${about(row)}\n`;
    }
    yield Buffer.from(text);
  }
}

async function* readRows(app: App, collectionId: string): AsyncGenerator<LlmsRow[]> {
  for (let after: LlmsRow | undefined; ; ) {
    const rows: LlmsRow[] = await listLlmsRows(app.database, collectionId, after, BATCH);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    after = rows.at(-1);
  }
}

async function toTexts(app: App, rows: readonly LlmsRow[]): Promise<string> {
  const ids = rows.map(({ id }) => id);
  const contents = await readContents(app.database, ids);
  return rows
    .map((row) => `\n## ${oneLine(row.title ?? row.url)}\n\nSource: ${row.url}\n\n${contents.get(row.id) ?? ''}\n`)
    .join('');
}

function about({ description }: LlmsRow): string {
  const text = oneLine(description ?? '');
  if (text === '') return '';
  return `: ${text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION).toWellFormed()}…` : text}`;
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
const escapeLabel = (text: string) => oneLine(text).replace(/[[\]\\]/g, '\\$&');
/** Parentheses and whitespace would end the address. */
const toTarget = (url: string) =>
  url
    .replace(/[\s<>]/g, encodeURIComponent)
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
