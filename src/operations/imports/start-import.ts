import { z } from 'zod';
import type { App } from '../../app.ts';
import { addHold, insertCrawl } from '../../db/crawls/crawls.ts';
import { ensureTags } from '../../db/documents/document-tags.ts';
import { findImport, insertImport } from '../../db/imports/imports.ts';
import { insertJob } from '../../db/jobs/jobs.ts';
import { findCollection } from '../../db/organise/collections.ts';
import { newId } from '../../ids.ts';
import { TagNames } from '../documents/tag-document.ts';
import { found } from '../found.ts';
import { archiveName, type Import, toImport } from './import.ts';

export const IMPORT_JOB = 'import';

export const ImportInput = z.strictObject({
  name: z.string().max(500).optional().describe('What the archive is called; shown with its crawl.'),
  collection_id: z.uuid().optional().describe('Its documents are filed there.'),
  tags: z
    .union([
      TagNames,
      z
        .string()
        .max(2_000)
        .transform((text) => text.split(',').filter((tag) => tag.trim() !== ''))
        .pipe(TagNames),
    ])
    .optional()
    .describe('Its documents get these tags; in a query separated by commas.'),
});

interface NewImport extends z.output<typeof ImportInput> {
  /** A blob that holds the archive: a job reads it. Absent: the caller reads it itself, with readImport. */
  blobRef?: string;
  createdBy?: string;
}

/**
 * Makes the crawl of an archive, with nothing in it yet. It follows no links and renders nothing, so that no page of it is a
 * reason to send a request.
 */
export async function startImport(app: App, input: NewImport): Promise<Import> {
  const { database } = app;
  if (input.collection_id !== undefined)
    found(await findCollection(database, input.collection_id), 'collection', input.collection_id);
  const tags = [...(input.tags ?? [])];
  await ensureTags(
    database,
    tags.map((name) => ({ id: newId(), name })),
  );
  const id = newId();
  const name = archiveName(input.name ?? 'archive');
  await database.transaction(async (tx) => {
    await insertCrawl(tx, {
      id,
      kind: 'import',
      urls: [name],
      strategy: 'bfs',
      max_depth: 0,
      max_pages: 2 ** 31 - 1,
      pace_ms: 0,
      priority: 5,
      keywords: [],
      score_threshold: 0,
      options: { render: 'never' },
      headers: {},
      tags,
      source_id: null,
      crawl_config_id: null,
      collection_id: input.collection_id ?? null,
      created_by: input.createdBy ?? 'api',
    });
    await addHold(tx, id);
    await insertImport(tx, { crawl_id: id, name, blob_ref: input.blobRef ?? null });
    if (input.blobRef !== undefined)
      await insertJob(tx, { id: newId(), kind: IMPORT_JOB, payload: { crawl_id: id }, max_attempts: 20 });
  });
  return toImport(app, (await findImport(database, id))!);
}
