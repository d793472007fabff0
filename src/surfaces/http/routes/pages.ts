import { DeletePagesInput, deletePages } from '../../../operations/pages/delete-pages.ts';
import { DiffPageInput, diffPage, PageDiff } from '../../../operations/pages/diff-page.ts';
import { getPage, PageDetail } from '../../../operations/pages/get-page.ts';
import { ListVersionsInput, listPageVersions, PageVersion } from '../../../operations/pages/list-page-versions.ts';
import { ListPagesInput, listPages } from '../../../operations/pages/list-pages.ts';
import { openStoredResponse } from '../../../operations/pages/open-stored-response.ts';
import { PageSummary } from '../../../operations/pages/page.ts';
import { listPageOf } from '../../../operations/paging.ts';
import { Deleted, IdParams } from '../../../operations/schemas.ts';
import { route } from '../route.ts';
import { sendBlob } from '../send-blob.ts';

const tag = 'pages';

export const pageRoutes = [
  route({
    method: 'GET',
    path: '/pages',
    id: 'listPages',
    summary: 'List pages',
    tag,
    access: 'read',
    bound: 'refused',
    query: ListPagesInput,
    response: listPageOf(PageSummary),
    handler: ({ app, query }) => listPages(app, query),
  }),
  route({
    method: 'DELETE',
    path: '/pages',
    id: 'deletePages',
    summary: 'Forget pages',
    description: 'By ids, by domain, or by age; their documents leave the search at once.',
    tag,
    access: 'admin',
    bound: 'refused',
    example: { body: { domain: '{spare_domain}' } },
    body: DeletePagesInput,
    response: Deleted,
    handler: ({ app, body }) => deletePages(app, body),
  }),
  route({
    method: 'GET',
    path: '/pages/:id',
    id: 'getPage',
    summary: 'Show a page with its links',
    tag,
    access: 'read',
    bound: 'refused',
    params: IdParams,
    response: PageDetail,
    handler: ({ app, params }) => getPage(app, params.id),
  }),
  route({
    method: 'GET',
    path: '/pages/:id/versions',
    id: 'listPageVersions',
    summary: 'List the versions of a page’s content',
    tag,
    access: 'read',
    bound: 'refused',
    params: IdParams,
    query: ListVersionsInput,
    response: listPageOf(PageVersion),
    handler: ({ app, params, query }) => listPageVersions(app, params.id, query),
  }),
  route({
    method: 'GET',
    path: '/pages/:id/diff',
    id: 'diffPage',
    summary: 'What changed between two versions',
    tag,
    access: 'read',
    bound: 'refused',
    example: { params: { id: '{changed_page}' } },
    params: IdParams,
    query: DiffPageInput,
    response: PageDiff,
    handler: ({ app, params, query }) => diffPage(app, params.id, query),
  }),
  route({
    method: 'GET',
    path: '/pages/:id/raw',
    id: 'downloadPageResponse',
    summary: 'Download the response a page was read from',
    description:
      'The bytes as the site sent them, without compression; always as a download. What the site called them is in ' +
      '`X-Original-Content-Type`. Takes a Range of bytes. `RAW_MISSING` when nothing is stored.',
    tag,
    access: 'read',
    bound: 'refused',
    errors: ['RAW_MISSING', 'RANGE_INVALID'],
    also: { 206: 'same' },
    example: { params: { id: '{stored_page}' } },
    params: IdParams,
    stream: 'application/octet-stream',
    handler: ({ app, params, request, reply }) =>
      sendBlob(reply, async () => {
        const { originalType, ...response } = await openStoredResponse(app, params.id, request.headers.range);
        return {
          ...response,
          contentType: 'application/octet-stream',
          ...(originalType !== undefined && { headers: { 'x-original-content-type': originalType } }),
        };
      }),
  }),
];
