import { Readable } from 'node:stream';
import { AppError } from '../../../errors.ts';
import { deleteExport } from '../../../operations/exports/delete-export.ts';
import { Export } from '../../../operations/exports/export.ts';
import { ExportInput } from '../../../operations/exports/export-input.ts';
import { getExport } from '../../../operations/exports/get-export.ts';
import { ListExportsInput, listExports } from '../../../operations/exports/list-exports.ts';
import { writeLlms } from '../../../operations/exports/llms.ts';
import { openExport } from '../../../operations/exports/open-export.ts';
import { startExport } from '../../../operations/exports/start-export.ts';
import { getImport } from '../../../operations/imports/get-import.ts';
import { Import } from '../../../operations/imports/import.ts';
import { ListImportsInput, listImports } from '../../../operations/imports/list-imports.ts';
import { receiveArchive } from '../../../operations/imports/receive-archive.ts';
import { ImportInput } from '../../../operations/imports/start-import.ts';
import { listPageOf } from '../../../operations/paging.ts';
import { IdParams } from '../../../operations/schemas.ts';
import { route } from '../route.ts';

const tag = 'exports';

/** The bytes come from other sites: never rendered on this origin. */
const SANDBOX = { 'content-security-policy': "sandbox; default-src 'none'" };

const llmsRoute = (file: 'llms.txt' | 'llms-full.txt', id: string, summary: string) =>
  route({
    method: 'GET',
    path: `/collections/:id/${file}`,
    id,
    summary,
    tag,
    access: 'read',
    bound: 'collection',
    params: IdParams,
    stream: 'text/plain; charset=utf-8',
    handler: async ({ app, params, reply }) => {
      const body = await writeLlms(app, params.id, file === 'llms-full.txt');
      reply.headers({ ...SANDBOX, 'content-type': 'text/plain; charset=utf-8' });
      return reply.send(Readable.from(body, { objectMode: false }));
    },
  });

export const exportRoutes = [
  route({
    method: 'GET',
    path: '/export',
    id: 'exportRows',
    summary: 'Download rows as a file',
    description:
      'JSON Lines, CSV, Parquet, Markdown files in a zip, or a WARC archive, streamed as it is read, with the filters of the matching list. Rows come newest first; `cursor` takes the id of the last row that arrived. A failure on the way breaks the connection off: a download that ends is whole.',
    tag,
    access: 'read',
    bound: 'refused',
    example: { query: { format: 'jsonl' } },
    query: ExportInput,
    stream: 'application/octet-stream',
    handler: async ({ app, query, reply }) => {
      const open = openExport(app, query);
      reply.headers({
        ...SANDBOX,
        'content-disposition': `attachment; filename="${open.name}"`,
        'content-type': open.contentType,
        'x-export-order': 'newest first',
      });
      return reply.send(Readable.from(open.body, { objectMode: false }));
    },
  }),
  route({
    method: 'POST',
    path: '/exports',
    id: 'startExport',
    summary: 'Make an export in the background',
    description: 'For large ones: its file is kept until the export is deleted.',
    tag,
    access: 'write',
    bound: 'refused',
    example: { body: { format: 'jsonl' } },
    creates: 'plain',
    body: ExportInput,
    status: 202,
    response: Export,
    handler: ({ app, body }) => startExport(app, body),
  }),
  route({
    method: 'GET',
    path: '/exports',
    id: 'listExports',
    summary: 'List exports',
    tag,
    access: 'read',
    bound: 'refused',
    query: ListExportsInput,
    response: listPageOf(Export),
    handler: ({ app, query }) => listExports(app, query),
  }),
  route({
    method: 'GET',
    path: '/exports/:id',
    id: 'getExport',
    summary: 'Show an export, with a link to its file',
    tag,
    access: 'read',
    bound: 'refused',
    params: IdParams,
    response: Export,
    handler: ({ app, params }) => getExport(app, params.id),
  }),
  route({
    method: 'DELETE',
    path: '/exports/:id',
    id: 'deleteExport',
    summary: 'Delete an export and its file',
    description: 'One that is under way ends.',
    tag,
    access: 'write',
    bound: 'refused',
    errors: ['STATE_CONFLICT'],
    params: IdParams,
    handler: ({ app, params }) => deleteExport(app, params.id),
  }),
  route({
    method: 'POST',
    path: '/imports',
    id: 'startImport',
    summary: 'Import a WARC or WACZ archive',
    description:
      'The body is the archive. Its pages are read as if they had been fetched when the archive says; nothing is requested from their sites. Importing the same archive again changes nothing.',
    tag,
    access: 'write',
    bound: 'refused',
    errors: ['ARCHIVE_INVALID', 'NOT_FOUND'],
    creates: 'plain',
    query: ImportInput,
    takes: [
      'application/warc',
      'application/gzip',
      'application/x-gzip',
      'application/zip',
      'application/wacz',
      'application/octet-stream',
    ],
    status: 202,
    response: Import,
    handler: ({ app, query, request, caller }) => {
      if (!(request.body instanceof Readable))
        throw new AppError('MEDIA_TYPE_UNSUPPORTED', 'the body is not an archive', {
          hint: 'Send the file itself as the body, with Content-Type: application/warc.',
        });
      return receiveArchive(app, request.body, query, caller.name);
    },
  }),
  route({
    method: 'GET',
    path: '/imports',
    id: 'listImports',
    summary: 'List imports',
    tag,
    access: 'read',
    bound: 'refused',
    query: ListImportsInput,
    response: listPageOf(Import),
    handler: ({ app, query }) => listImports(app, query),
  }),
  route({
    method: 'GET',
    path: '/imports/:id',
    id: 'getImport',
    summary: 'Show an import and its crawl',
    tag,
    access: 'read',
    bound: 'refused',
    params: IdParams,
    response: Import,
    handler: ({ app, params }) => getImport(app, params.id),
  }),
  llmsRoute('llms.txt', 'getLlmsTxt', 'The llms.txt of a collection'),
  llmsRoute('llms-full.txt', 'getLlmsFullTxt', 'The llms-full.txt of a collection'),
];
