import { controlCrawl } from '../../../operations/crawls/control-crawl.ts';
import { Crawl } from '../../../operations/crawls/crawl.ts';
import { getCrawl } from '../../../operations/crawls/get-crawl.ts';
import {
  CrawlDocument,
  ListCrawlDocumentsInput,
  listCrawlDocuments,
} from '../../../operations/crawls/list-crawl-documents.ts';
import { CrawlPage, ListCrawlsInput, listCrawls } from '../../../operations/crawls/list-crawls.ts';
import {
  BatchCrawl,
  StartBatchInput,
  StartCrawlInput,
  StartDeepCrawlInput,
  startBatch,
  startCrawl,
  startDeepCrawl,
} from '../../../operations/crawls/start-crawl.ts';
import { followCrawl } from '../../../operations/events/follow-crawl.ts';
import { listPageOf } from '../../../operations/paging.ts';
import { IdParams } from '../../../operations/schemas.ts';
import { PriorityInput } from '../../../operations/tasks/control-task.ts';
import { ListTasksInput, listTasks, TaskPage } from '../../../operations/tasks/list-tasks.ts';
import { prioritiseCrawl } from '../../../operations/tasks/prioritise.ts';
import { GIVEN_URL } from '../declared.ts';
import { AfterQuery, lastEventId } from '../live/last-event-id.ts';
import { route, socketRoute } from '../route.ts';

const tag = 'crawl';

const stepRoute = (step: 'cancel' | 'pause' | 'resume' | 'restart', summary: string, description: string) =>
  route({
    method: 'POST',
    path: `/crawl/:id/${step}`,
    id: `${step}Crawl`,
    summary,
    description,
    tag,
    access: 'write',
    bound: 'crawl',
    errors: ['STATE_CONFLICT', 'QUOTA_EXCEEDED'],
    example: step === 'resume' ? { params: { id: '{paused_crawl}' } } : {},
    params: IdParams,
    response: Crawl,
    handler: ({ app, params }) => controlCrawl(app, params.id, step),
  });

export const crawlRoutes = [
  route({
    method: 'POST',
    path: '/crawl',
    id: 'startCrawl',
    summary: 'Fetch one or more pages',
    description: 'Each address is fetched once; links are not followed.',
    tag,
    access: 'write',
    bound: 'scoped',
    errors: [...GIVEN_URL, 'QUOTA_EXCEEDED'],
    example: { body: { urls: ['{site}/docs/start'] } },
    creates: 'plain',
    body: StartCrawlInput,
    status: 202,
    response: Crawl,
    handler: ({ app, body, caller }) => startCrawl(app, body, caller.name, caller.collections),
  }),
  route({
    method: 'POST',
    path: '/crawl/batch',
    id: 'startBatch',
    summary: 'Fetch up to 100 pages as one batch',
    description: 'Addresses that cannot be taken are named in `refused`; the others are fetched.',
    tag,
    access: 'write',
    bound: 'scoped',
    errors: [...GIVEN_URL, 'QUOTA_EXCEEDED'],
    example: { body: { urls: ['{site}/docs/start', '{site}/docs/concepts'] } },
    creates: 'plain',
    body: StartBatchInput,
    status: 202,
    response: BatchCrawl,
    handler: ({ app, body, caller }) => startBatch(app, body, caller.name, caller.collections),
  }),
  route({
    method: 'POST',
    path: '/crawl/deep',
    id: 'startDeepCrawl',
    summary: 'Walk through a site from one page',
    tag,
    access: 'write',
    bound: 'scoped',
    errors: [...GIVEN_URL, 'QUOTA_EXCEEDED'],
    example: { body: { url: '{site}/', max_depth: 2, max_pages: 20 } },
    creates: 'plain',
    body: StartDeepCrawlInput,
    status: 202,
    response: Crawl,
    handler: ({ app, body, caller }) => startDeepCrawl(app, body, caller.name, caller.collections),
  }),
  route({
    method: 'GET',
    path: '/crawls',
    id: 'listCrawls',
    summary: 'List crawls',
    tag,
    access: 'read',
    bound: 'scoped',
    query: ListCrawlsInput,
    response: CrawlPage,
    reuse: () => true,
    handler: ({ app, query, caller }) => listCrawls(app, query, caller),
  }),
  route({
    method: 'GET',
    path: '/crawl/:id',
    id: 'getCrawl',
    summary: 'Show a crawl and its progress',
    tag,
    access: 'read',
    bound: 'crawl',
    params: IdParams,
    response: Crawl,
    reuse: () => true,
    handler: ({ app, params }) => getCrawl(app, params.id),
  }),
  route({
    method: 'GET',
    path: '/crawl/:id/tasks',
    id: 'listCrawlTasks',
    summary: 'List the pages of a crawl, fetched or not, and why',
    tag,
    access: 'read',
    bound: 'crawl',
    params: IdParams,
    query: ListTasksInput.omit({ crawl_id: true }),
    response: TaskPage,
    handler: async ({ app, params, query }) => {
      const page = await listTasks(app, { ...query, crawl_id: params.id });
      if (page.items.length === 0) await getCrawl(app, params.id);
      return page;
    },
  }),
  route({
    method: 'GET',
    path: '/crawl/:id/documents',
    id: 'listCrawlDocuments',
    summary: 'List what a crawl brought in, with the content',
    tag,
    access: 'read',
    bound: 'crawl',
    params: IdParams,
    query: ListCrawlDocumentsInput,
    response: listPageOf(CrawlDocument),
    handler: ({ app, params, query, caller }) => listCrawlDocuments(app, params.id, query, caller.collections),
  }),
  route({
    method: 'GET',
    path: '/crawl/:id/stream',
    id: 'streamCrawl',
    summary: 'Follow a crawl as server-sent events',
    description:
      'Starts with `crawl.snapshot`, the crawl as it is; then each event of the crawl under its kind, and `end` when the ' +
      'crawl is over. The id of an event is its number within the crawl: with Last-Event-ID, every event after that one ' +
      'is sent and nothing else.',
    tag,
    access: 'read',
    bound: 'crawl',
    params: IdParams,
    query: AfterQuery,
    stream: 'text/event-stream',
    handler: async ({ app, params, query, request, reply, live }) =>
      live.stream(request, reply, await followCrawl(app, params.id, lastEventId(request, query.after))),
  }),
  socketRoute({
    path: '/ws/crawl/:id',
    id: 'socketCrawl',
    summary: 'Follow a crawl over a WebSocket',
    description: 'The same as its stream; each message is `{"event", "id", "data"}`.',
    tag,
    access: 'read',
    bound: 'crawl',
    params: IdParams,
    query: AfterQuery,
    socket: ({ app, params, query }) => followCrawl(app, params.id, query.after),
  }),
  route({
    method: 'PATCH',
    path: '/crawl/:id/priority',
    id: 'prioritiseCrawl',
    summary: 'Change the priority of a crawl and of all that waits in it',
    tag,
    access: 'write',
    bound: 'crawl',
    errors: ['STATE_CONFLICT'],
    example: { body: { priority: 'high' } },
    params: IdParams,
    body: PriorityInput,
    response: Crawl,
    handler: ({ app, params, body }) => prioritiseCrawl(app, params.id, body.priority),
  }),
  stepRoute('cancel', 'Cancel a crawl', 'What waits is dropped; what is being fetched is not kept.'),
  stepRoute('pause', 'Pause a crawl', 'What waits stays where it is until the crawl is resumed.'),
  stepRoute('resume', 'Resume a crawl', 'Goes on where it was paused.'),
  stepRoute('restart', 'Fetch all pages of a crawl again', 'Its tasks start over; what is known stays.'),
];
