import { Collection, CollectionInput } from '../../../operations/organise/collection.ts';
import { CrawlConfig, CrawlConfigInput } from '../../../operations/organise/crawl-config.ts';
import { createCollection } from '../../../operations/organise/create-collection.ts';
import { createCrawlConfig } from '../../../operations/organise/create-crawl-config.ts';
import { createTag } from '../../../operations/organise/create-tag.ts';
import { deleteCollection } from '../../../operations/organise/delete-collection.ts';
import { deleteCrawlConfig } from '../../../operations/organise/delete-crawl-config.ts';
import { deleteTag } from '../../../operations/organise/delete-tag.ts';
import { CollectionDetail, getCollection } from '../../../operations/organise/get-collection.ts';
import { getCrawlConfig } from '../../../operations/organise/get-crawl-config.ts';
import { ListCollectionsInput, listCollections } from '../../../operations/organise/list-collections.ts';
import { ListConfigsInput, listCrawlConfigs } from '../../../operations/organise/list-crawl-configs.ts';
import { ListTagsInput, listTags } from '../../../operations/organise/list-tags.ts';
import { Tag, TagInput } from '../../../operations/organise/tag.ts';
import { updateCollection } from '../../../operations/organise/update-collection.ts';
import { updateCrawlConfig } from '../../../operations/organise/update-crawl-config.ts';
import { listPageOf } from '../../../operations/paging.ts';
import { IdParams } from '../../../operations/schemas.ts';
import { route } from '../route.ts';

const tag = 'organise';

export const organiseRoutes = [
  route({
    method: 'GET',
    path: '/collections',
    id: 'listCollections',
    summary: 'List collections',
    tag,
    access: 'read',
    query: ListCollectionsInput,
    response: listPageOf(Collection),
    handler: ({ app, query }) => listCollections(app, query),
  }),
  route({
    method: 'POST',
    path: '/collections',
    id: 'createCollection',
    summary: 'Make a collection',
    tag,
    access: 'write',
    example: { body: { name: 'Manuals {number}', description: 'What came with the machines' } },
    creates: 'plain',
    body: CollectionInput,
    status: 201,
    response: Collection,
    handler: ({ app, body }) => createCollection(app, body),
  }),
  route({
    method: 'GET',
    path: '/collections/:id',
    id: 'getCollection',
    summary: 'Show a collection',
    tag,
    access: 'read',
    params: IdParams,
    response: CollectionDetail,
    handler: ({ app, params }) => getCollection(app, params.id),
  }),
  route({
    method: 'PUT',
    path: '/collections/:id',
    id: 'updateCollection',
    summary: 'Change a collection',
    tag,
    access: 'write',
    errors: ['CONFLICT'],
    example: { body: { name: 'Handbooks {number}' } },
    params: IdParams,
    body: CollectionInput,
    response: Collection,
    handler: ({ app, params, body }) => updateCollection(app, params.id, body),
  }),
  route({
    method: 'DELETE',
    path: '/collections/:id',
    id: 'deleteCollection',
    summary: 'Delete a collection',
    description: 'Its documents stay, without a collection.',
    tag,
    access: 'write',
    params: IdParams,
    handler: ({ app, params }) => deleteCollection(app, params.id),
  }),
  route({
    method: 'GET',
    path: '/tags',
    id: 'listTags',
    summary: 'List tags',
    tag,
    access: 'read',
    query: ListTagsInput,
    response: listPageOf(Tag),
    handler: ({ app, query }) => listTags(app, query),
  }),
  route({
    method: 'POST',
    path: '/tags',
    id: 'createTag',
    summary: 'Make a tag',
    description: 'Names are lower case.',
    tag,
    access: 'write',
    example: { body: { name: 'draft {number}' } },
    creates: 'plain',
    body: TagInput,
    status: 201,
    response: Tag,
    handler: ({ app, body }) => createTag(app, body),
  }),
  route({
    method: 'DELETE',
    path: '/tags/:id',
    id: 'deleteTag',
    summary: 'Delete a tag',
    description: 'Its documents stay, without it.',
    tag,
    access: 'write',
    params: IdParams,
    handler: ({ app, params }) => deleteTag(app, params.id),
  }),
  route({
    method: 'GET',
    path: '/configs',
    id: 'listCrawlConfigs',
    summary: 'List crawl configurations',
    tag,
    access: 'read',
    query: ListConfigsInput,
    response: listPageOf(CrawlConfig),
    handler: ({ app, query }) => listCrawlConfigs(app, query),
  }),
  route({
    method: 'POST',
    path: '/configs',
    id: 'createCrawlConfig',
    summary: 'Make a crawl configuration',
    tag,
    access: 'write',
    example: { body: { name: 'Gentle {number}', options: { max_depth: 3, rate_limit_rps: 0.5 } } },
    creates: 'plain',
    body: CrawlConfigInput,
    status: 201,
    response: CrawlConfig,
    handler: ({ app, body }) => createCrawlConfig(app, body),
  }),
  route({
    method: 'GET',
    path: '/configs/:id',
    id: 'getCrawlConfig',
    summary: 'Show a crawl configuration',
    tag,
    access: 'read',
    params: IdParams,
    response: CrawlConfig,
    handler: ({ app, params }) => getCrawlConfig(app, params.id),
  }),
  route({
    method: 'PUT',
    path: '/configs/:id',
    id: 'updateCrawlConfig',
    summary: 'Change a crawl configuration',
    description: 'Crawls that run already keep the options they started with.',
    tag,
    access: 'write',
    errors: ['CONFLICT'],
    example: { body: { name: 'Gentler {number}', options: { max_depth: 2 } } },
    params: IdParams,
    body: CrawlConfigInput,
    response: CrawlConfig,
    handler: ({ app, params, body }) => updateCrawlConfig(app, params.id, body),
  }),
  route({
    method: 'DELETE',
    path: '/configs/:id',
    id: 'deleteCrawlConfig',
    summary: 'Delete a crawl configuration',
    tag,
    access: 'write',
    params: IdParams,
    handler: ({ app, params }) => deleteCrawlConfig(app, params.id),
  }),
];
