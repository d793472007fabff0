import { z } from 'zod';
import { AppError, toAppError } from '../../../errors.ts';
import { deleteDocument, restoreDocument } from '../../../operations/documents/delete-document.ts';
import { Chunk, Document, DocumentDetail } from '../../../operations/documents/document.ts';
import { getDocument } from '../../../operations/documents/get-document.ts';
import { ListChunksInput, listDocumentChunks } from '../../../operations/documents/list-document-chunks.ts';
import { ListDocumentsInput, listDocuments } from '../../../operations/documents/list-documents.ts';
import { MoveDocumentInput, moveDocument } from '../../../operations/documents/move-document.ts';
import { openDocumentFile } from '../../../operations/documents/open-document-file.ts';
import { UploadedDocument } from '../../../operations/documents/store-upload.ts';
import { TagDocumentInput, tagDocument, untagDocument } from '../../../operations/documents/tag-document.ts';
import {
  UploadDocumentInput,
  UploadDocumentsAnswer,
  UploadDocumentsInput,
  uploadDocument,
  uploadDocuments,
} from '../../../operations/documents/upload-document.ts';
import {
  MAX_FILES,
  UploadFileFields,
  UploadFilesFields,
  uploadFile,
  uploadFiles,
} from '../../../operations/documents/upload-files.ts';
import { listPageOf } from '../../../operations/paging.ts';
import { Id, IdParams } from '../../../operations/schemas.ts';
import { ReindexAnswer, reindex } from '../../../operations/search/reindex.ts';
import { multipart, route } from '../route.ts';
import { sendBlob } from '../send-blob.ts';

const tag = 'documents';

/** A page that cannot be read is its site's fault; an upload is the caller's. */
function refuseUnreadable(thrown: unknown): never {
  const error = toAppError(thrown);
  if (error.category !== 'parse') throw error;
  throw new AppError('VALIDATION_FAILED', `the upload cannot be read: ${error.message}`, {
    cause: error,
    details: { 'body.content': error.code },
    hint: 'Check that the file opens elsewhere, and that content_type says what it is.',
  });
}

export const documentRoutes = [
  route({
    method: 'GET',
    path: '/documents',
    id: 'listDocuments',
    summary: 'List documents',
    tag,
    access: 'read',
    bound: 'scoped',
    query: ListDocumentsInput,
    response: listPageOf(Document),
    reuse: () => true,
    handler: ({ app, query, caller }) => listDocuments(app, query, caller.collections),
  }),
  route({
    method: 'POST',
    path: '/documents',
    id: 'uploadDocument',
    summary: 'Upload a document',
    description:
      'Markdown, text, HTML, or PDF as base64; or a file as multipart/form-data. The same address, or a file of the same name, ' +
      'makes a new version.',
    tag,
    access: 'write',
    bound: 'scoped',
    errors: ['CONTENT_TYPE_UNSUPPORTED', 'TOO_LARGE'],
    example: {
      body: { url: 'https://example.com/notes', content: '# Notes\n\nHeat moves by conduction.', tags: ['notes'] },
    },
    creates: 'plain',
    body: UploadDocumentInput,
    status: 201,
    response: UploadedDocument,
    handler: ({ app, body, caller }) => uploadDocument(app, body, caller.collections).catch(refuseUnreadable),
    multipart: multipart({
      fields: UploadFileFields,
      json: ['metadata'],
      lists: ['tags'],
      maxFiles: 1,
      handler: ({ app, body, caller }, files) =>
        uploadFile(app, body, files, caller.collections).catch(refuseUnreadable),
    }),
  }),
  route({
    method: 'POST',
    path: '/documents/batch',
    id: 'uploadDocuments',
    summary: 'Upload up to 50 documents',
    description:
      'As JSON, or as files in multipart/form-data. One that cannot be read does not hold up the others; the answer says which.',
    tag,
    access: 'write',
    bound: 'scoped',
    example: { body: { documents: [{ title: 'A note', content: 'Heat moves by conduction.' }] } },
    creates: 'plain',
    body: UploadDocumentsInput,
    status: 201,
    response: UploadDocumentsAnswer,
    handler: ({ app, body, caller }) => uploadDocuments(app, body, caller.collections),
    multipart: multipart({
      fields: UploadFilesFields,
      json: ['metadata', 'documents'],
      lists: ['tags'],
      maxFiles: MAX_FILES,
      handler: ({ app, body, caller }, files) => uploadFiles(app, body, files, caller.collections),
    }),
  }),
  route({
    method: 'GET',
    path: '/documents/:id',
    id: 'getDocument',
    summary: 'Show a document with its content',
    tag,
    access: 'read',
    bound: 'document',
    params: IdParams,
    response: DocumentDetail,
    reuse: () => true,
    handler: ({ app, params }) => getDocument(app, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/documents/:id',
    id: 'moveDocument',
    summary: 'Move a document to another collection',
    tag,
    access: 'write',
    bound: 'document',
    example: { body: { collection_id: '{collection}' } },
    params: IdParams,
    body: MoveDocumentInput,
    response: Document,
    handler: ({ app, params, body, caller }) => moveDocument(app, params.id, body, caller.collections),
  }),
  route({
    method: 'DELETE',
    path: '/documents/:id',
    id: 'deleteDocument',
    summary: 'Delete a document',
    description: 'It is gone from search at once, and can be restored until retention removes it for good.',
    tag,
    access: 'write',
    bound: 'document',
    params: IdParams,
    handler: ({ app, params }) => deleteDocument(app, params.id),
  }),
  route({
    method: 'POST',
    path: '/documents/:id/restore',
    id: 'restoreDocument',
    summary: 'Bring a deleted document back',
    tag,
    access: 'write',
    bound: 'document',
    example: { params: { id: '{deleted_document}' } },
    params: IdParams,
    response: Document,
    handler: ({ app, params }) => restoreDocument(app, params.id),
  }),
  route({
    method: 'GET',
    path: '/documents/:id/file',
    id: 'downloadDocumentFile',
    summary: 'Download the file a document was uploaded as',
    description: 'Always as a download. Takes a Range of bytes.',
    tag,
    access: 'read',
    bound: 'document',
    errors: ['RANGE_INVALID'],
    also: { 206: 'same' },
    example: { params: { id: '{filed_document}' } },
    params: IdParams,
    stream: 'application/octet-stream',
    handler: ({ app, params, request, reply }) =>
      sendBlob(reply, () => openDocumentFile(app, params.id, request.headers.range)),
  }),
  route({
    method: 'GET',
    path: '/documents/:id/chunks',
    id: 'listDocumentChunks',
    summary: 'List the passages of a document',
    tag,
    access: 'read',
    bound: 'document',
    params: IdParams,
    query: ListChunksInput,
    response: listPageOf(Chunk),
    handler: ({ app, params, query }) => listDocumentChunks(app, params.id, query),
  }),
  route({
    method: 'POST',
    path: '/documents/:id/reindex',
    id: 'reindexDocument',
    summary: 'Index a document again, with the model in force',
    tag,
    access: 'write',
    bound: 'document',
    params: IdParams,
    response: ReindexAnswer,
    handler: ({ app, params }) => reindex(app, { scope: 'document', id: params.id, vectors: true }),
  }),
  route({
    method: 'POST',
    path: '/documents/:id/tags',
    id: 'tagDocument',
    summary: 'Put tags on a document',
    tag,
    access: 'write',
    bound: 'document',
    example: { body: { tags: ['reviewed'] } },
    params: IdParams,
    body: TagDocumentInput,
    response: Document,
    handler: ({ app, params, body }) => tagDocument(app, params.id, body),
  }),
  route({
    method: 'DELETE',
    path: '/documents/:id/tags/:tagId',
    id: 'untagDocument',
    summary: 'Take a tag off a document',
    tag,
    access: 'write',
    bound: 'document',
    example: { params: { id: '{tagged_document}', tagId: '{tag_of_document}' } },
    params: z.strictObject({ id: Id, tagId: Id }),
    handler: ({ app, params }) => untagDocument(app, params.id, params.tagId),
  }),
];
