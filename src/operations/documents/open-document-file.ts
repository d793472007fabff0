import type { App } from '../../app.ts';
import { findUpload } from '../../db/documents/uploads.ts';
import { AppError } from '../../errors.ts';
import { type OpenRange, openRange } from '../media/open-blob.ts';
import { getDocument } from './get-document.ts';

/** The file a document was uploaded as. */
export async function openDocumentFile(
  app: App,
  id: string,
  rangeHeader: string | undefined,
): Promise<OpenRange & { name: string; contentType: string }> {
  await getDocument(app, id);
  const upload = await findUpload(app.database, id);
  const opened = upload === undefined ? undefined : await openRange(app, upload.blob_ref, rangeHeader);
  if (upload === undefined || opened === undefined)
    throw new AppError('NOT_FOUND', 'this document was not uploaded as a file', {
      hint: 'Its text is at /documents/{id}; the response of a crawled page is at /pages/{id}/raw.',
    });
  return { ...opened, name: upload.name ?? 'upload', contentType: upload.content_type };
}
