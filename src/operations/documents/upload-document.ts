import { z } from 'zod';
import type { App } from '../../app.ts';
import { toAppError } from '../../errors.ts';
import type { Binding } from '../access/binding.ts';
import { storeUpload, UPLOAD_TYPES, UploadedDocument, UploadFields } from './store-upload.ts';

export const UploadDocumentInput = z
  .strictObject({
    ...UploadFields,
    content: z.string().max(10_000_000).optional(),
    content_base64: z.base64().max(14_000_000).optional().describe('For PDF and other bytes.'),
    content_type: z.enum(UPLOAD_TYPES).default('text/markdown'),
  })
  .refine((input) => (input.content === undefined) !== (input.content_base64 === undefined), {
    error: 'give content or content_base64, one of them',
    path: ['content'],
  })
  .meta({ id: 'UploadDocument' });
export type UploadDocumentInput = z.output<typeof UploadDocumentInput>;

export const UploadDocumentsInput = z.strictObject({ documents: z.array(UploadDocumentInput).min(1).max(50) });

const file = z.string().optional().describe('The name of the file, where files were sent.');
export const UploadDocumentsAnswer = z
  .object({
    documents: z.array(
      z.union([UploadedDocument.extend({ file }), z.object({ error: z.string(), code: z.string(), file })]),
    ),
    uploaded: z.number().int(),
    failed: z.number().int(),
  })
  .meta({ id: 'UploadDocuments' });
export type UploadDocumentsAnswer = z.output<typeof UploadDocumentsAnswer>;

export function uploadDocument(
  app: Pick<App, 'database' | 'extractor'>,
  input: UploadDocumentInput,
  within?: Binding,
): Promise<UploadedDocument> {
  const { content, content_base64, content_type: type, ...fields } = input;
  if (content === undefined)
    return storeUpload(app, fields, { type, body: Buffer.from(content_base64!, 'base64') }, within);
  return storeUpload(app, fields, { type, charset: 'utf-8', body: Buffer.from(content) }, within);
}

export const uploadDocuments = (
  app: Pick<App, 'database' | 'extractor'>,
  input: z.output<typeof UploadDocumentsInput>,
  within?: Binding,
): Promise<UploadDocumentsAnswer> =>
  uploadEach(input.documents.map((entry) => ({ upload: () => uploadDocument(app, entry, within) })));

interface Upload {
  /** The name its result is listed under. */
  file?: string | undefined;
  upload(): Promise<UploadedDocument>;
}

/** One after the other, each for itself: one that cannot be read does not fail the others. */
export async function uploadEach(uploads: readonly Upload[]): Promise<UploadDocumentsAnswer> {
  const documents: UploadDocumentsAnswer['documents'] = [];
  for (const { file: name, upload } of uploads) {
    const result = await upload().catch((thrown: unknown) => {
      const error = toAppError(thrown);
      if (error.retryable) throw error;
      return { error: error.message, code: error.code };
    });
    documents.push(name === undefined ? result : { ...result, file: name });
  }
  const failed = documents.filter((entry) => 'error' in entry).length;
  return { documents, uploaded: documents.length - failed, failed };
}
