import { z } from 'zod';
import { deleteDocument, restoreDocument } from '../../../operations/documents/delete-document.ts';
import { Chunk, Document, DocumentDetail } from '../../../operations/documents/document.ts';
import { getDocument } from '../../../operations/documents/get-document.ts';
import { listDocumentChunks } from '../../../operations/documents/list-document-chunks.ts';
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
import { ListQuery, listPageOf } from '../../../operations/paging.ts';
import { Id, IdParams } from '../../../operations/schemas.ts';
import { ReindexAnswer, reindex } from '../../../operations/search/reindex.ts';
import { multipart, route } from '../route.ts';
import { sendBlob } from '../send-blob.ts';

const tag = 'documents';

export const documentRoutes = [
  route({
    method: 'GET',
    path: '/documents',
    id: 'listDocuments',
    summary: 'List documents',
    tag,
    access: 'read',
    query: ListDocumentsInput,
    response: listPageOf(Document),
    handler: ({ app, query }) => listDocuments(app, query),
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
    creates: 'plain',
    body: UploadDocumentInput,
    status: 201,
    response: UploadedDocument,
    handler: ({ app, body }) => uploadDocument(app, body),
    multipart: multipart({
      fields: UploadFileFields,
      json: ['metadata'],
      lists: ['tags'],
      maxFiles: 1,
      handler: ({ app, body }, files) => uploadFile(app, body, files),
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
    creates: 'plain',
    body: UploadDocumentsInput,
    status: 201,
    response: UploadDocumentsAnswer,
    handler: ({ app, body }) => uploadDocuments(app, body),
    multipart: multipart({
      fields: UploadFilesFields,
      json: ['metadata', 'documents'],
      lists: ['tags'],
      maxFiles: MAX_FILES,
      handler: ({ app, body }, files) => uploadFiles(app, body, files),
    }),
  }),
  route({
    method: 'GET',
    path: '/documents/:id',
    id: 'getDocument',
    summary: 'Show a document with its content',
    tag,
    access: 'read',
    params: IdParams,
    response: DocumentDetail,
    handler: ({ app, params }) => getDocument(app, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/documents/:id',
    id: 'moveDocument',
    summary: 'Move a document to another collection',
    tag,
    access: 'write',
    params: IdParams,
    body: MoveDocumentInput,
    response: Document,
    handler: ({ app, params, body }) => moveDocument(app, params.id, body),
  }),
  route({
    method: 'DELETE',
    path: '/documents/:id',
    id: 'deleteDocument',
    summary: 'Delete a document',
    description: 'It is gone from search at once, and can be restored until retention removes it for good.',
    tag,
    access: 'write',
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
    params: IdParams,
    query: ListQuery,
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
    params: z.strictObject({ id: Id, tagId: Id }),
    handler: ({ app, params }) => untagDocument(app, params.id, params.tagId),
  }),
];
