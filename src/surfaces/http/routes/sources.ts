import { personOf } from '../../../operations/access/caller.ts';
import { Crawl } from '../../../operations/crawls/crawl.ts';
import { listPageOf } from '../../../operations/paging.ts';
import { IdParams } from '../../../operations/schemas.ts';
import { createSource } from '../../../operations/sources/create-source.ts';
import { deleteSource } from '../../../operations/sources/delete-source.ts';
import { getSource } from '../../../operations/sources/get-source.ts';
import { ListSourcesInput, listSources } from '../../../operations/sources/list-sources.ts';
import { Source, SourceInput } from '../../../operations/sources/source.ts';
import { triggerSource } from '../../../operations/sources/trigger-source.ts';
import { updateSource } from '../../../operations/sources/update-source.ts';
import { GIVEN_URL } from '../declared.ts';
import { route } from '../route.ts';

const tag = 'sources';

export const sourceRoutes = [
  route({
    method: 'GET',
    path: '/sources',
    id: 'listSources',
    summary: 'List sources',
    tag,
    access: 'read',
    bound: 'refused',
    query: ListSourcesInput,
    response: listPageOf(Source),
    handler: ({ app, query }) => listSources(app, query),
  }),
  route({
    method: 'POST',
    path: '/sources',
    id: 'createSource',
    summary: 'Add a source',
    tag,
    access: 'write',
    bound: 'refused',
    errors: GIVEN_URL,
    example: { body: { name: 'Handbook {number}', url: '{site}/docs/', schedule_cron: '0 4 * * *' } },
    creates: 'plain',
    body: SourceInput,
    status: 201,
    response: Source,
    handler: ({ app, body, caller }) => createSource(app, body, { createdBy: caller.name, userId: personOf(caller) }),
  }),
  route({
    method: 'GET',
    path: '/sources/:id',
    id: 'getSource',
    summary: 'Show a source',
    tag,
    access: 'read',
    bound: 'refused',
    params: IdParams,
    response: Source,
    handler: ({ app, params }) => getSource(app, params.id),
  }),
  route({
    method: 'PUT',
    path: '/sources/:id',
    id: 'updateSource',
    summary: 'Change a source',
    tag,
    access: 'write',
    bound: 'refused',
    errors: GIVEN_URL,
    example: { body: { name: 'Handbook {number}', url: '{site}/docs/', is_active: false } },
    params: IdParams,
    body: SourceInput,
    response: Source,
    handler: ({ app, params, body }) => updateSource(app, params.id, body),
  }),
  route({
    method: 'DELETE',
    path: '/sources/:id',
    id: 'deleteSource',
    summary: 'Delete a source',
    description: 'Its crawls and documents stay.',
    tag,
    access: 'write',
    bound: 'refused',
    params: IdParams,
    handler: ({ app, params }) => deleteSource(app, params.id),
  }),
  route({
    method: 'POST',
    path: '/sources/:id/trigger',
    id: 'triggerSource',
    summary: 'Crawl a source now',
    description: 'Its schedule stays as it is.',
    tag,
    access: 'write',
    bound: 'refused',
    errors: [...GIVEN_URL, 'STATE_CONFLICT', 'QUOTA_EXCEEDED'],
    creates: 'plain',
    params: IdParams,
    status: 202,
    response: Crawl,
    handler: ({ app, params, caller }) => triggerSource(app, params.id, caller.name),
  }),
];
