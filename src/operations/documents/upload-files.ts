import { z } from 'zod';
import type { App } from '../../app.ts';
import { AppError, toAppError } from '../../errors.ts';
import { chooseFormat, type Format } from '../../pipeline/extract/content-type.ts';
import type { Binding } from '../access/binding.ts';
import { storeUpload, UPLOAD_TYPES, type UploadedDocument, UploadFields } from './store-upload.ts';
import { type UploadDocumentsAnswer, uploadEach } from './upload-document.ts';

/** A file that was sent. Its bytes are in the blobs, unless `problem` says why they are not. */
export interface ReceivedFile {
  /** Without folders; absent when the caller gave none that can be used. */
  name?: string;
  /** What the caller called it. */
  contentType: string;
  size: number;
  reference: string;
  problem?: AppError;
}

const content_type = z
  .enum(UPLOAD_TYPES)
  .optional()
  .describe('What the file is; absent: its bytes, the type it was sent with and its name decide.');

/** What may come beside a single file. */
export const UploadFileFields = z.strictObject({ ...UploadFields, content_type });
type FileFields = z.output<typeof UploadFileFields>;

const { collection_id, tags, metadata, language } = UploadFields;

/** What may come beside several: for all of them, and for each. */
export const UploadFilesFields = z.strictObject({
  collection_id,
  tags: tags.describe('Names separated by commas, or the field several times; those of a document come on top.'),
  metadata: metadata.describe('A JSON object; that of a document comes on top.'),
  language,
  documents: z
    .array(UploadFileFields)
    .max(50)
    .optional()
    .describe(
      'A JSON array: what to say about each file, in the order of the files. Fields it leaves out are as for all.',
    ),
});

type AllFields = Omit<z.output<typeof UploadFilesFields>, 'documents'>;

export const MAX_FILES = 50;

const TYPES: Record<Format, string> = {
  html: 'text/html',
  pdf: 'application/pdf',
  markdown: 'text/markdown',
  text: 'text/plain',
  xml: 'application/xml',
  json: 'application/json',
};

export async function uploadFile(
  app: Pick<App, 'database' | 'extractor' | 'blobs'>,
  fields: FileFields,
  files: readonly ReceivedFile[],
  within?: Binding,
): Promise<UploadedDocument> {
  const [file] = files;
  if (file === undefined) throw noFile();
  return storeFile(app, fields, file, within);
}

/** Each file becomes a document, or says why it did not. One at a time: no more than one is held in memory. */
export async function uploadFiles(
  app: Pick<App, 'database' | 'extractor' | 'blobs'>,
  { documents, ...all }: z.output<typeof UploadFilesFields>,
  files: readonly ReceivedFile[],
  within?: Binding,
): Promise<UploadDocumentsAnswer> {
  if (files.length === 0) throw noFile();
  if (documents !== undefined && documents.length !== files.length)
    throw new AppError('VALIDATION_FAILED', 'documents does not fit the files', {
      details: { 'body.documents': `${documents.length} entries for ${files.length} files` },
    });
  return uploadEach(
    files.map((file, at) => ({
      file: file.name,
      upload: () => storeFile(app, merge(all, documents?.[at]), file, within),
    })),
  );
}

/** What is said about one file comes on top of what is said about all. */
const merge = (all: AllFields, own: Partial<FileFields> = {}): FileFields => ({
  ...all,
  ...own,
  collection_id: own.collection_id ?? all.collection_id,
  language: own.language ?? all.language,
  tags: [...new Set([...all.tags, ...(own.tags ?? [])])],
  metadata: { ...all.metadata, ...own.metadata },
});

async function storeFile(
  app: Pick<App, 'database' | 'extractor' | 'blobs'>,
  { content_type: said, ...fields }: FileFields,
  file: ReceivedFile,
  within: Binding,
): Promise<UploadedDocument> {
  if (file.problem !== undefined) throw file.problem;
  const body = await app.blobs.get(file.reference);
  if (body === undefined) throw new AppError('ENGINE_DOWN', 'the file that was just stored is not there');
  const url = fields.url ?? file.name;
  const type = said ?? typeOf(body, file);
  const stored = { name: file.name ?? null, content_type: type, bytes: file.size, blob_ref: file.reference };
  return storeUpload(app, { ...fields, ...(url !== undefined && { url }) }, { type, body, file: stored }, within);
}

function typeOf(body: Uint8Array, { contentType, name = '' }: ReceivedFile): string {
  try {
    return TYPES[chooseFormat(body, contentType, name)];
  } catch (cause) {
    throw new AppError('CONTENT_TYPE_UNSUPPORTED', toAppError(cause).message, {
      cause,
      hint: 'Send text, Markdown, HTML, PDF, JSON or XML.',
    });
  }
}

const noFile = () =>
  new AppError('VALIDATION_FAILED', 'the upload holds no file', {
    details: { 'body.file': 'send at least one part with a file name' },
    hint: 'With curl: -F file=@notes.md',
  });
