import { controlCrawl } from '../../../operations/crawls/control-crawl.ts';
import { Crawl } from '../../../operations/crawls/crawl.ts';
import { getCrawl } from '../../../operations/crawls/get-crawl.ts';
import { CrawlDocument, listCrawlDocuments } from '../../../operations/crawls/list-crawl-documents.ts';
import { CrawlPage, ListCrawlsInput, listCrawls } from '../../../operations/crawls/list-crawls.ts';
import {
  StartBatchInput,
  StartCrawlInput,
  StartDeepCrawlInput,
  startBatch,
  startCrawl,
  startDeepCrawl,
} from '../../../operations/crawls/start-crawl.ts';
import { PageQuery, pageOf } from '../../../operations/paging.ts';
import { IdParams } from '../../../operations/schemas.ts';
import { PriorityInput } from '../../../operations/tasks/control-task.ts';
import { ListTasksInput, listTasks, TaskPage } from '../../../operations/tasks/list-tasks.ts';
import { prioritiseCrawl } from '../../../operations/tasks/prioritise.ts';
import { route } from '../route.ts';
import { streamCrawl } from '../stream-crawl.ts';

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
    creates: 'plain',
    body: StartCrawlInput,
    status: 202,
    response: Crawl,
    handler: ({ app, body, caller }) => startCrawl(app, body, caller.name),
  }),
  route({
    method: 'POST',
    path: '/crawl/batch',
    id: 'startBatch',
    summary: 'Fetch up to 100 pages as one batch',
    tag,
    access: 'write',
    creates: 'plain',
    body: StartBatchInput,
    status: 202,
    response: Crawl,
    handler: ({ app, body, caller }) => startBatch(app, body, caller.name),
  }),
  route({
    method: 'POST',
    path: '/crawl/deep',
    id: 'startDeepCrawl',
    summary: 'Walk through a site from one page',
    tag,
    access: 'write',
    creates: 'plain',
    body: StartDeepCrawlInput,
    status: 202,
    response: Crawl,
    handler: ({ app, body, caller }) => startDeepCrawl(app, body, caller.name),
  }),
  route({
    method: 'GET',
    path: '/crawls',
    id: 'listCrawls',
    summary: 'List crawls',
    tag,
    access: 'read',
    query: ListCrawlsInput,
    response: CrawlPage,
    handler: ({ app, query }) => listCrawls(app, query),
  }),
  route({
    method: 'GET',
    path: '/crawl/:id',
    id: 'getCrawl',
    summary: 'Show a crawl and its progress',
    tag,
    access: 'read',
    params: IdParams,
    response: Crawl,
    handler: ({ app, params }) => getCrawl(app, params.id),
  }),
  route({
    method: 'GET',
    path: '/crawl/:id/tasks',
    id: 'listCrawlTasks',
    summary: 'List the pages of a crawl, fetched or not, and why',
    tag,
    access: 'read',
    params: IdParams,
    query: ListTasksInput.omit({ crawl_id: true }),
    response: TaskPage,
    handler: async ({ app, params, query }) => {
      await getCrawl(app, params.id);
      return listTasks(app, { ...query, crawl_id: params.id });
    },
  }),
  route({
    method: 'GET',
    path: '/crawl/:id/documents',
    id: 'listCrawlDocuments',
    summary: 'List what a crawl brought in, with the content',
    tag,
    access: 'read',
    params: IdParams,
    query: PageQuery,
    response: pageOf(CrawlDocument),
    handler: ({ app, params, query }) => listCrawlDocuments(app, params.id, query),
  }),
  route({
    method: 'GET',
    path: '/crawl/:id/stream',
    id: 'streamCrawl',
    summary: 'Follow a crawl as server-sent events',
    description:
      'Sends `progress` with the crawl whenever it changed, then `end`. Last-Event-ID leaves out a state that was seen. ' +
      'The same comes over a WebSocket at /api/v1/ws/crawl/{id}.',
    tag,
    access: 'read',
    params: IdParams,
    stream: 'text/event-stream',
    handler: ({ params, request, reply, feed, closing }) => streamCrawl(feed, params.id, request, reply, closing),
  }),
  route({
    method: 'PATCH',
    path: '/crawl/:id/priority',
    id: 'prioritiseCrawl',
    summary: 'Change the priority of a crawl and of all that waits in it',
    tag,
    access: 'write',
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
