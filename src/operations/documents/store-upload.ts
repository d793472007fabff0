import { z } from 'zod';
import type { App } from '../../app.ts';
import { attachTags, ensureTags } from '../../db/documents/document-tags.ts';
import { findDocumentByHash } from '../../db/documents/document-views.ts';
import { moveDocuments, undeleteDocuments, upsertDocuments } from '../../db/documents/documents.ts';
import { insertUpload, type UploadRow } from '../../db/documents/uploads.ts';
import { appendEvents } from '../../db/events/append-events.ts';
import { findCollection } from '../../db/organise/collections.ts';
import { queueDocuments } from '../../db/search/outbox.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { toStoredMetadata } from '../../pipeline/extract/stored-metadata.ts';
import type { ReadPage } from '../../pipeline/extract/types.ts';
import { hashUrl, parseUrl } from '../../web/url.ts';
import { type Binding, chooseCollection } from '../access/binding.ts';
import { UPLOAD_DOMAIN } from '../domains/domain.ts';
import { found } from '../found.ts';
import { Id, Json } from '../schemas.ts';
import { TagNames } from './tag-document.ts';

export const UPLOAD_TYPES = ['text/plain', 'text/markdown', 'text/html', 'application/pdf'] as const;

/** What may be said about an upload, however it is sent. */
export const UploadFields = {
  url: z
    .string()
    .trim()
    .min(1)
    .max(2_048)
    .optional()
    .describe('Where it is from; any name will do. Uploading the same again makes a new version.'),
  title: z.string().trim().max(1_000).nullish(),
  collection_id: z.uuid().nullish(),
  tags: TagNames.default([]),
  metadata: Json.default({}),
  language: z.string().trim().toLowerCase().min(2).max(20).optional(),
};
type Fields = z.output<z.ZodObject<typeof UploadFields>>;

export interface UploadContent {
  /** What it is; kept beside the document. */
  type: string;
  charset?: 'utf-8';
  body: Uint8Array;
  /** The file it came as, already stored. */
  file?: UploadRow;
}

export const UploadedDocument = z
  .object({
    id: Id,
    url: z.string(),
    version: z.number().int(),
    created: z.boolean(),
    changed: z.boolean().describe('False when the same content was there already.'),
  })
  .meta({ id: 'UploadedDocument' });
export type UploadedDocument = z.output<typeof UploadedDocument>;

/** A caller waits for an upload, so it is indexed before crawled documents. */
const PRIORITY = 2;

/** Reads an upload and stores its text as a document, together with where its file is. */
export async function storeUpload(
  app: Pick<App, 'database' | 'extractor'>,
  input: Fields,
  content: UploadContent,
  within?: Binding,
): Promise<UploadedDocument> {
  const collectionId = chooseCollection(within, input.collection_id);
  if (collectionId) found(await findCollection(app.database, collectionId), 'collection', collectionId);
  const { url, domain } = nameUpload(input.url);
  const page = await readContent(app, url, content);
  if (page.markdown.trim() === '')
    throw new AppError('VALIDATION_FAILED', 'nothing readable is in the upload', {
      details: { content: 'it holds no text' },
      hint: 'Send text; a scanned PDF holds pictures of text and has to go through text recognition first.',
    });
  const urlHash = hashUrl(url).toString('hex');
  return app.database.transaction(async (tx) => {
    const before = await findDocumentByHash(tx, urlHash);
    if (within !== undefined && before !== undefined && !within.includes(before.collection_id ?? ''))
      throw new AppError('CONFLICT', 'a document outside of the collections of this key has this address already', {
        hint: 'Upload it under another url.',
      });
    const [stored] = await upsertDocuments(tx, [
      {
        id: newId(),
        url,
        url_hash: urlHash,
        domain,
        page_id: null,
        parent_task_id: null,
        title: (input.title ?? page.title) || null,
        content: page.markdown,
        content_hash: page.contentHash,
        language: input.language ?? page.language ?? null,
        content_type: content.type,
        kind: page.kind,
        source: 'upload',
        collection_id: collectionId ?? null,
        source_id: null,
        metadata: { ...toStoredMetadata(page.metadata), ...input.metadata },
        chunking: {},
        priority: PRIORITY,
      },
    ]);
    const id = stored?.id ?? before!.id;
    if (stored !== undefined && stored.version > 1) {
      const data = { document_id: id, url, domain, version: stored.version };
      await appendEvents(tx, [{ kind: 'document.changed', subject: id, data }]);
    }
    const version = stored?.version ?? before!.version;
    if (content.file !== undefined) await insertUpload(tx, id, version, content.file);
    const restored = await undeleteDocuments(tx, [id]);
    const moved = collectionId ? await moveDocuments(tx, [id], collectionId) : [];
    const tags = await ensureTags(
      tx,
      input.tags.map((name) => ({ id: newId(), name })),
    );
    const tagged = await attachTags(
      tx,
      id,
      tags.map((tag) => tag.id),
    );
    if (stored === undefined && (restored.length > 0 || moved.length > 0 || tagged))
      await queueDocuments(tx, [id], { priority: PRIORITY });
    return {
      id,
      url,
      version,
      created: before === undefined,
      changed: stored !== undefined,
    };
  });
}

/** A web address counts as what it is; any other name becomes an address of our own making. */
function nameUpload(name: string | undefined): { url: string; domain: string } {
  const parsed = name === undefined ? undefined : parseUrl(name);
  if (parsed?.ok) return { url: parsed.url, domain: parsed.domain };
  return { url: `upload:${name ?? newId()}`, domain: UPLOAD_DOMAIN };
}

/** Whatever it is, it may be built to do harm: it is read where that can be ended. */
async function readContent(
  { extractor }: Pick<App, 'extractor'>,
  url: string,
  { type, charset, body }: UploadContent,
): Promise<ReadPage> {
  const raw = { url, contentType: charset === undefined ? type : `${type}; charset=${charset}`, body };
  try {
    return await extractor.extract(raw, { products: false, onlyMainContent: false });
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== 'CONTENT_TYPE_UNSUPPORTED') throw cause;
    throw new AppError('CONTENT_TYPE_UNSUPPORTED', `what was sent is not ${type}`, {
      cause,
      hint: `Send the file's bytes as content_base64, and what they are as content_type: ${UPLOAD_TYPES.join(', ')}.`,
    });
  }
}
